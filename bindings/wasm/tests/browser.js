// The demo page in headless Chromium, as a visitor uses it: node browser.js SITE CHROMIUM [IMAGES]
//
// Serves SITE as any static server would, without special headers. With IMAGES, screenshots are written there.
import assert from "node:assert/strict";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { audit, charts, keyboard, labels, narrow, words } from "./front.js";
import { file, hex, json, unhex } from "./setup.js";

const [site, program, images] = process.argv.slice(2);
const inPath = (folder) => join(folder, program);
const executablePath = process.env.PATH.split(delimiter).map(inPath).find(existsSync) ?? program;

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const path = join(site, normalize(new URL(request.url, "http://localhost").pathname));
  const found = path.endsWith("/") ? `${path}index.html` : path;
  if (!existsSync(found)) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(found)] ?? "application/octet-stream" });
  createReadStream(found).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const complaints = [];
const fetched = [];
const modules = () => fetched.filter((path) => path.endsWith(".wasm"));

async function visit(options) {
  const page = await browser.newPage({ viewport: { width: 1024, height: 900 }, ...options });
  // What is asked for comes; on a machine that others use, it takes its time.
  page.setDefaultTimeout(120_000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));
  await page.goto(address);
  await page.locator("html[data-ready]").waitFor();
  return page;
}

/** Clicks Verify and reads what the page says. */
async function verdict(page) {
  await page.click("#verify");
  await page.locator("#verdict").waitFor();
  return { text: await page.textContent("#verdict"), good: (await page.getAttribute("#verdict", "class")) === "good" };
}

async function paste(page, text) {
  await page.fill("#input", text);
  return page.textContent("#readings");
}

/** The upper part of the page: below are times of this machine. */
async function shot(page, name, height) {
  if (!images) return;
  await page.waitForTimeout(150);
  const { width } = page.viewportSize();
  await page.screenshot({ path: `${images}/wasm-demo-${name}.png`, fullPage: true, clip: { x: 0, y: 0, width, height } });
}

try {
  const page = await visit({ colorScheme: "light" });
  assert.match(await page.textContent("#build"), /simd build/);

  assert.deepEqual(modules(), ["/phalanx/full-simd/phalanx_wasm_bg.wasm"]);

  // What stands there before anything is done.
  await audit(page, "light");
  await words(page);
  await charts(page, 0);
  await page.emulateMedia({ colorScheme: "dark" });
  await audit(page, "dark");
  if (images) await page.locator("#speed").screenshot({ path: `${images}/wasm-demo-speed.png` });
  await page.emulateMedia({ colorScheme: "light" });
  await keyboard(page);
  await page.evaluate(() => scrollTo(0, 0));

  // Real inputs of the systems: good, then with a bit flipped, then another example untouched.
  for (const system of ["xmss", "ed25519", "ligerito", "aggregate"]) {
    await page.click(`#tab-${system}`);
    assert.equal(await page.locator("form:visible").count(), 1);
    await page.click("#example");
    assert.deepEqual(await verdict(page).then(({ good }) => good), true, system);
    await page.click("#tamper");
    assert.equal(await page.locator("#verdict").isVisible(), false, "an old verdict stays");
    const bad = await verdict(page);
    assert.deepEqual(bad.good, false, `${system}: ${bad.text}`);
    assert.match(bad.text, /does not verify/);
  }
  // The wrong epoch, rule and value.
  await page.click("#tab-xmss");
  await page.click("#example");
  const epoch = await page.inputValue("#xmss [name=epoch]");
  await page.fill("#xmss [name=epoch]", String(Number(epoch) + 1));
  assert.equal((await verdict(page)).good, false);
  await page.fill("#xmss [name=epoch]", "soon");
  await page.click("#verify");
  assert.equal(await page.locator("#verdict").isVisible(), false, "a field that is no number is the browser's to say");
  await page.click("#tab-ligerito");
  await page.click("#example");
  await page.fill("#ligerito [name=claims]", "1,2 = 3");
  assert.match((await verdict(page)).text, /point/);

  // What is pasted is said, and filled in.
  const [key] = json("xmss/p2-top-l32-d64b8.e2e.json");
  assert.match(await paste(page, key.pk_ssz), /Public key of xmss.*52 bytes.*Filled in below.*nextphalanx verify [^\n]*--scheme xmss-poseidon2-l32-d64b8/s);
  assert.match(await paste(page, key.signatures[0].sig_ssz), /Signature of xmss-poseidon2-l32-d64b8/);
  assert.equal(await page.inputValue("#xmss [name=set]"), "xmss-poseidon2-l32-d64b8");
  await page.fill("#xmss [name=epoch]", String(key.signatures[0].epoch));
  await page.fill("#xmss [name=message]", key.signatures[0].message);
  assert.equal((await verdict(page)).good, true, "filled in by pasting");
  const [ed] = json("ed25519/keys.json").cases;
  const pem = await paste(page, ed.pkcs8_v1_pem);
  assert.match(pem, /Secret key of ed25519/);
  assert.ok(!(await page.content()).replace(ed.pkcs8_v1_pem, "").includes(ed.seed), "a secret is shown");
  assert.equal(await page.inputValue("#ed25519 [name=publicKey]"), ed.pk);
  const base64 = Buffer.from(file("ligerito-own/p1_16.bin")).toString("base64");
  assert.match(await paste(page, base64), /Possible proof of ligerito-v1-provable100/);
  assert.equal(await page.inputValue("#ligerito [name=proof]"), hex(file("ligerito-own/p1_16.bin")));
  assert.match(await paste(page, "certainly nothing"), /Nothing known/);
  assert.equal(await paste(page, "<img src=x onerror=alert(1)>").then((text) => /Nothing/.test(text)), true);

  // Dropped files: one of each kind.
  async function drop(files) {
    const given = Object.entries(files).map(([name, bytes]) => [name, [...(typeof bytes === "string" ? Buffer.from(bytes) : bytes)]]);
    const dataTransfer = await page.evaluateHandle((given) => {
      const data = new DataTransfer();
      for (const [name, bytes] of given) data.items.add(new File([Uint8Array.from(bytes)], name));
      return data;
    }, given);
    await page.fill("#input", "");
    await page.dispatchEvent("#drop", "drop", { dataTransfer });
    await page.locator("#readings h3").first().waitFor();
    return page.textContent("#readings");
  }
  const secret = file("xmss/p2-top-l8-d64b8.k0.sk.ssz");
  assert.match(await drop({ "secret-key.ssz": secret }), /Secret key of xmss-poseidon2-l8-d64b8.*active epochs0 to 255/s);
  const store = new Uint8Array(100);
  store.set(Buffer.from("SQLite format 3\0"));
  store.set(Buffer.from("PHLX"), 68);
  const keyJson = { kind: "phalanx key v1", scheme: "ed25519", encoding: "openssh", public_key: ed.pk, files: {} };
  const kinds = {
    "key.json": [JSON.stringify(keyJson), /Key.json of ed25519/],
    "keystore.json": [file("custody/keystore/eip-only.json"), /Keystore.*version5.*nextphalanx key inspect --open keystore\.json/s],
    "epochs": ["phalanx-epochs v1 xmss-poseidon2-l8-d64b8 00\n", /Epoch record.*nextphalanx ledger adopt-records/s],
    "ledger.sqlite": [store, /Store of a ledger.*SQLite/s],
    "side.log": ["phalanx-ledger-log 1 00\n", /Side log of a ledger/],
    "keeper": ["phalanx-key v1 xmss-poseidon2-l8-d64b8 0 256 00 00\n", /Keeper of a key of xmss-poseidon2-l8-d64b8/],
    "keygen.checkpoint": ['{"kind":"phalanx keygen checkpoint v1","scheme":"xmss-poseidon2-l32-d64b8"} \n', /Keygen.checkpoint of xmss-poseidon2-l32-d64b8/],
    "joined": [`${"0a".repeat(16)} ${"0b".repeat(16)} postgres://host/db\n`, /Place of a ledger in a database/],
    "key.pub": [ed.openssh_public, /Public key of ed25519/],
    "key.pem": [ed.pkcs8_v1_pem, /Secret key of ed25519/],
    "signature.ssz": [unhex(key.signatures[0].sig_ssz), /Signature of xmss-poseidon2-l32-d64b8/],
    "proof": [file("ligerito-own/p1_16.bin"), /Possible proof of ligerito-v1-provable100/],
    "validators.json": [JSON.stringify([{ pubkey: key.pk_ssz }]), /Public key|document|validators/i],
    "noise": ["certainly nothing", /Nothing known, 17 bytes/],
  };
  for (const [name, [bytes, wanted]] of Object.entries(kinds)) {
    const said = await drop({ [name]: bytes });
    assert.match(said, wanted, name);
    assert.ok(name === "noise" || said.includes("nextphalanx "), `${name}: no command to try next: ${said}`);
  }
  const all = await drop(Object.fromEntries(Object.entries(kinds).map(([name, [bytes]]) => [name, bytes])));
  for (const [name, [, wanted]] of Object.entries(kinds)) {
    assert.ok(all.includes(name), name);
    assert.match(all, wanted);
  }
  await shot(page, "files", 1100);
  assert.ok(!(await page.content()).includes(ed.seed), "a secret is shown");

  // An aggregate with its statement: verified as it is dropped, and shown. Its module came when it was first asked for.
  const [statement, aggregate] = ["statement1.bin", "aggregate1.bin"].map((name) => file(`aggregate/${name}`));
  await page.click("#tab-aggregate");
  await page.fill("#aggregate [name=context]", hex(Buffer.from("context")));
  const both = await drop({ "statement.bin": statement, "aggregate.bin": aggregate });
  assert.match(both, /Statement of an aggregate.*likely.*76 bytes.*Aggregate.*profileaggregate-v1-provable100/s);
  await page.locator("#verdict").waitFor();
  assert.match(await page.textContent("#verdict"), /It verifies\. *For every key of the statement/);
  const said = await page.textContent("#statement");
  assert.match(said, /1 signature is known.*Epoch 2309737967: 1 key/s);
  assert.ok(said.includes(hex(statement.slice(8, 40))) && said.includes(hex(statement.slice(44))), said);
  statement[44] ^= 1;
  await drop({ "aggregate.bin": aggregate, "statement.bin": statement });
  await page.locator("#verdict.bad").waitFor();
  assert.match(await page.textContent("#verdict"), /does not verify/);
  assert.deepEqual(modules().sort(), ["/phalanx/aggregate-scalar/phalanx_wasm_bg.wasm", "/phalanx/full-simd/phalanx_wasm_bg.wasm"]);

  await audit(page, "light, an aggregate refused");

  // The benchmark: the page stays alive, the chart comes.
  await page.click("#run");
  await page.locator("#progress", { hasText: "of 10" }).waitFor();
  assert.equal(await page.evaluate(() => 1 + 1), 2);
  await page.locator("#chart svg").waitFor({ timeout: 180_000 });
  assert.equal(await page.locator("#chart rect").count(), 20);
  const spoken = await page.getAttribute("#chart svg", "aria-label");
  assert.match(spoken, /ligerito prove, 2\^16: [0-9.]+ (µs|ms) with SIMD/);
  console.log(spoken.replaceAll("; ", "\n"));
  await charts(page, 1);
  await labels(page);

  await paste(page, key.pk_ssz);
  await page.click("#tab-xmss");
  await page.click("#example");
  await verdict(page);
  await shot(page, "light", 1100);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.click("#tamper");
  await verdict(page);
  await shot(page, "dark", 1100);
  await audit(page, "dark, with readings, a bad verdict and times");
  await narrow(page);
  await audit(page, "dark, on a telephone");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.click("#example");
  await verdict(page);
  await audit(page, "light, on a telephone");
  await shot(page, "mobile", 1500);

  assert.deepEqual(complaints, []);
  console.log("the demo page works in Chromium", browser.version());
} finally {
  await browser.close();
  server.close();
}
