// What a front page owes its visitors: an audit without a violation, the keyboard alone, no sideways scrolling, and words that
// are the repository's own. browser.js calls these with its page.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = dirname(process.env.PHALANX_VECTORS);
const text = (path) => readFileSync(join(root, path), "utf8");

/** Every rule of axe, best practices too: none is violated in the state that the page is in. */
export async function audit(page, state) {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations", "passes"] }));
  const said = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
  assert.deepEqual(said, [], state);
  const rules = passes.map(({ id }) => id);
  assert.ok(rules.includes("color-contrast") && rules.includes("label") && rules.length > 25, `${state}: ${rules}`);
  console.log(`axe, ${state}: ${rules.length} rules pass, none is violated`);
}

/** No part of the page is wider than the window, on small telephones either. */
export async function narrow(page) {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => {
      const wide = [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1);
      return [document.documentElement.scrollWidth - innerWidth, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 80))];
    });
    assert.ok(over[0] <= 0 && over.length === 1, `${width} pixels: ${over.join(" ")}`);
  }
}

/** Where the focus is, and whether it shows. */
function focused(page) {
  return page.evaluate(() => {
    const { id, tagName, textContent } = document.activeElement;
    const shows = getComputedStyle(document.activeElement).outlineStyle !== "none";
    return { name: id || (tagName === "BODY" ? "" : `${tagName} ${textContent.trim()}`), shows };
  });
}

async function tabTo(page, wanted, key = "Tab") {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press(key);
    const { name, shows } = await focused(page);
    assert.ok(!name || shows, `the focus on ${name} does not show`);
    if (name === wanted) return;
  }
  assert.fail(`${wanted} is not reached by ${key}`);
}

/** A fresh page by the keyboard alone: past the head, an example of another system verified, every link reached. */
export async function keyboard(page) {
  await tabTo(page, "A Skip to the page's content");
  await page.keyboard.press("Enter");
  await tabTo(page, "input");
  await tabTo(page, "tab-xmss");
  await page.keyboard.press("End");
  assert.equal((await focused(page)).name, "tab-aggregate");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getAttribute("#tab-ed25519", "aria-selected"), "true");
  await tabTo(page, "example");
  await page.keyboard.press("Enter");
  await tabTo(page, "verify", "Shift+Tab");
  await page.keyboard.press("Space");
  await page.locator("#verdict.good").waitFor();
  await tabTo(page, "run");
  await tabTo(page, "A Changelog");
}

/** Links go to files of the repository, install lines are the documents' own. */
export async function words(page) {
  const [, repository] = /^repository = "(.*)"$/m.exec(text("Cargo.toml"));
  const links = await page.$$eval("a", (all) => all.map((link) => link.getAttribute("href")));
  const outside = links.filter((link) => !link.startsWith("#"));
  for (const link of outside) {
    const path = link.replace(`${repository}/blob/main/`, "");
    assert.ok(path !== link && existsSync(join(root, path)), `${link} leads nowhere`);
  }
  assert.ok(outside.length > 15, `only ${outside.length} links`);
  for (const link of links.filter((link) => link.startsWith("#"))) assert.equal(await page.locator(link).count(), 1, link);
  const lines = await page.$$eval("[data-from]", (all) => all.map((each) => [each.dataset.from, each.textContent.trim()]));
  for (const [path, line] of lines) assert.ok(text(path).includes(line), `${path} does not say ${line}`);
  assert.equal(lines.length, 6);
}

/** What BENCHMARKS.md calls the operations that are compared. */
const OPERATIONS = { Ed25519: "ed25519/verify-many-per-signature", Rescue: "rescue-rp64-256/hash-many-8", Ligerito: "ligerito/prove" };

/** The charts of recorded measurements: each peer's and each backend's bar, times as BENCHMARKS.md has them. */
export async function charts(page, browsers) {
  const figures = await page.$$eval("#charts figure", (all) =>
    all.map((figure) => ({
      title: figure.querySelector("figcaption").textContent,
      bars: [...figure.querySelectorAll("li")].map((bar) => ({
        name: bar.querySelector(".name").textContent,
        time: bar.querySelector(".time").textContent,
        width: bar.querySelector(".bar").getBoundingClientRect().width,
      })),
    })),
  );
  assert.deepEqual(figures.map(({ title }) => title.split(":")[0]), ["Ed25519", "XMSS", "Rescue", "Ligerito"]);
  const rows = text("BENCHMARKS.md").split("\n");
  for (const { title, bars } of figures) {
    const recorded = bars.filter(({ name }) => !name.startsWith("this browser"));
    assert.equal(bars.length - recorded.length, browsers, title);
    assert.ok(recorded.filter(({ name }) => name.startsWith("phalanx, ")).length >= 3, title);
    const widths = bars.map(({ width }) => width);
    assert.deepEqual(widths, [...widths].sort((a, b) => a - b), `${title}: the shortest is not first`);
    assert.ok(widths.at(-1) > 4 * widths[0], title);
    const operation = OPERATIONS[title.split(":")[0]];
    if (!operation) continue;
    for (const { name, time } of recorded) {
      const [value, unit] = time.replace("µ", "u").split(" ");
      const who = name.replace("phalanx, ", "").split(" ")[0];
      const said = rows.filter((row) => row.startsWith(`| \`${operation}\` |`) && row.includes(` ${who}`));
      const times = said.flatMap((row) => [...row.matchAll(/\| ([0-9.]+) ([mu]s) /g)].map(([, each, of]) => of === unit && Number(each)));
      // BENCHMARKS.md has as many digits or more.
      const digits = value.split(".")[1]?.length ?? 0;
      assert.ok(times.some((each) => each && Math.abs(each - value) <= 0.5001 * 10 ** -digits + 0.005), `${name}: ${time} is not in BENCHMARKS.md`);
    }
  }
}

/** In the benchmark's own chart no name runs into a bar. */
export async function labels(page) {
  const over = await page.$$eval("#chart svg", ([svg]) => {
    const [names, bars] = [[...svg.querySelectorAll("text:not(.value)")], [...svg.querySelectorAll("rect")]];
    const [left, top] = [Math.min(...bars.map((bar) => bar.getBBox().x)), (text) => text.getBBox().y + text.getBBox().height];
    const beside = ([text, i]) => text.getBBox().x + text.getBBox().width <= left || top(text) <= bars[2 * i].getBBox().y + 2;
    return names.map((text, i) => [text, i]).filter((pair) => !beside(pair)).map(([text]) => text.textContent);
  });
  assert.deepEqual(over, []);
}
