// The status page in headless Chromium, as an operator uses it: node status.js PAGE CHROMIUM [IMAGES]
//
// Stands in for a signer, with the same policy for what the page may load, and gives the answers that a signer gives on a
// bad day. That a real signer's answers have this form is a test of the command line. With IMAGES, screenshots go there.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const [file, program, images] = process.argv.slice(2);
const inPath = (folder) => join(folder, program);
const executablePath = process.env.PATH.split(delimiter).map(inPath).find(existsSync) ?? program;
const page = readFileSync(file, "utf8");

const hash = (name) => {
  const text = page.split(`<${name}>`)[1].split(`</${name}>`)[0];
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
};
const policy = `default-src 'none'; script-src ${hash("script")}; style-src ${hash("style")}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const key = (id, role, more) => ({
  pubkey: "ab".repeat(52), key_id: id.repeat(8), scheme: "xmss-poseidon2-l32-d64b8", role, state: "active", start: "0", end: "131072",
  low_watermark: "0", high_watermark: null, highest: null, remaining: "131072", prepared: { start: "0", end: "131072" }, ...more,
});
const status = {
  version: "0.1.0", started: 1795000000, not_ready: [],
  ledger: { open: true, problem: null, group: 40213, clock_epoch: "40310" },
  keys: [
    key("9f0c33ab", "attester", { end: "1048576", highest: "40310", remaining: "1008265" }),
    key("07e2d451", "proposer", { end: "65536", highest: "65100", remaining: "435", prepared: { start: "0", end: "65536" } }),
    key("c1a4e077", "attester", { state: "quarantined" }),
    key("5d5d5d5d", "consensus", { scheme: "ed25519", start: "0", end: "9223372036854775807", remaining: "9223372036854775807", prepared: null }),
  ],
  answers: { signed: 40201, repeated: 12, passed: 3, not_prepared: 1 },
  flush: {
    bounds: [[0.0005, 0], [0.001, 20], [0.0025, 9000], [0.005, 36000], [0.01, 40000], [0.025, 40200], [0.05, 40210], [0.1, 40213], [0.25, 40213], [0.5, 40213], [1, 40213]]
      .map(([seconds, groups]) => ({ seconds, groups })),
    groups: 40213, seconds: 148.8,
  },
};

let answer = () => ({ code: 200, body: status });
let asked = [];
const server = createServer((request, response) => {
  if (request.url === "/") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
    return void response.end(page);
  }
  asked.push(request);
  const { code, body } = request.url === "/api/v1/status" ? answer(request) : { code: 404, body: {} };
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const complaints = [];
const view = await browser.newPage({ viewport: { width: 1024, height: 900 }, colorScheme: "light" });
// That an answer was no is what the browser says of every 401; anything else is a complaint.
view.on("console", (message) => {
  const expected = message.text().includes("the server responded with a status of 401");
  if (["error", "warning"].includes(message.type()) && !expected) complaints.push(message.text());
});
view.on("pageerror", (error) => complaints.push(String(error)));

const text = (selector) => view.textContent(selector);
const seen = async () => Number(await view.getAttribute("html", "data-seen"));

/** Waits until the page has shown one more answer. */
async function next() {
  const before = await seen();
  await view.waitForFunction((count) => Number(document.documentElement.dataset.seen) > count, before);
}

/** Waits until the page shows `text` there: the answer that comes next may have been on its way. */
const shows = (selector, text) => view.locator(selector, { hasText: text }).waitFor();

async function shot(name) {
  if (images) await view.screenshot({ path: `${images}/signer-status-${name}.png`, fullPage: true });
}

try {
  await view.goto(`http://127.0.0.1:${server.address().port}/`);
  await view.locator("html[data-seen]").waitFor();
  assert.equal(await text("#state"), "ready");
  assert.equal(await text("#ledger"), "open");
  assert.equal(await view.locator(".key").count(), 4);
  const bars = await view.locator("svg.bar").evaluateAll((all) => all.map((bar) => bar.getAttribute("aria-label")));
  assert.deepEqual(bars, ["40,311 of 1,048,576 epochs used", "65,101 of 65,536 epochs used", "0 of 131,072 epochs used"]);
  const width = await view.locator("svg.bar rect.used").first().getAttribute("width");
  assert.ok(Math.abs(parseFloat(width) - 3.84) < 0.01, width);
  assert.equal(await view.locator("svg.bar rect.used.all").count(), 1, "the key that is almost used up");
  assert.match(await text("#answers"), /signed40,201repeated12passed3not_prepared1/);
  assert.equal(await view.locator("#disagree").isVisible(), false);
  assert.equal(await view.locator("#flush rect.used").count(), 12);
  assert.match(await text("#flush-note"), /40,213 groups, 3\.7 ms on average/);
  await shot("light");
  await view.emulateMedia({ colorScheme: "dark" });
  const ground = await view.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, "rgb(20, 22, 26)", "it is not dark");
  await shot("dark");

  // It asks again every two seconds, with nothing but the address.
  asked = [];
  const begun = Date.now();
  await next();
  await next();
  assert.ok(Date.now() - begun > 2000, `${Date.now() - begun} ms for two answers`);
  assert.ok(asked.every((request) => request.url === "/api/v1/status" && !request.headers.authorization));

  // A bad day: two callers disagree, the ledger is closed, and a text would be more than that.
  const bad = { ...status, not_ready: ["ledger_poisoned"], answers: { ...status.answers, epoch_used: 2 } };
  bad.keys = [...status.keys, key("", "<img src=x>", { key_id: "<img src=x>" })];
  bad.ledger = { ...status.ledger, open: false, problem: "ledger_poisoned" };
  answer = () => ({ code: 200, body: bad });
  await shows("#state", "not ready: ledger_poisoned");
  assert.match(await text("#ledger"), /closed: ledger_poisoned/);
  assert.match(await text("#ledger-note"), /A write or a flush failed/);
  assert.equal(await view.locator("#disagree").isVisible(), true);
  assert.equal(await view.locator("#keys img").count(), 0, "what the signer says is text");
  await view.setViewportSize({ width: 360, height: 800 });
  const overflow = await view.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  await shot("narrow");

  // Nothing yet, and no key that one may see.
  const none = { ...status, keys: [], answers: {}, flush: { bounds: [], groups: 0, seconds: 0 } };
  answer = () => ({ code: 200, body: none });
  await shows("#keys", "None that you may see");
  assert.match(await text("#flush-note"), /none yet/);

  // A token is asked for, kept in memory, and sent in a header.
  const token = "t".repeat(43);
  answer = (request) =>
    request.headers.authorization === `Bearer ${token}` ? { code: 200, body: status } : { code: 401, body: { code: "unauthenticated" } };
  await view.locator("#entry").waitFor();
  assert.equal(await view.locator("#content").isVisible(), false, "what was seen before stays");
  await view.fill("#token", "wrong");
  await view.click("#form button");
  await view.locator("#entry-note", { hasText: "does not know this token" }).waitFor();
  await view.fill("#token", token);
  await view.keyboard.press("Enter");
  await view.locator("#content").waitFor();
  assert.equal(await view.inputValue("#token"), "");
  const kept = await view.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
  assert.ok(!kept.includes(token) && !(await view.content()).includes(token), "the token is kept somewhere");
  await view.reload();
  await view.locator("#entry").waitFor();

  // The signer goes away.
  await view.fill("#token", token);
  await view.keyboard.press("Enter");
  await view.locator("#content").waitFor();
  assert.deepEqual(complaints, []);
  server.closeAllConnections();
  server.close();
  await view.locator("#state", { hasText: "not reached since" }).waitFor({ timeout: 15_000 });
  console.log("the status page works in Chromium", browser.version());
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
