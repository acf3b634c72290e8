// The page's charts of the recorded measurements: lists of bars, and the visitor's browser as one more in each.
import { time } from "./chart.js";

const { machine, charts } = await (await fetch("data/charts.json")).json();

function element(name, className, ...children) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

function figure({ title, note, bars, origin }) {
  const longest = Math.max(...bars.map(({ us }) => us));
  const lines = bars.map(({ name, us, kind }) => {
    const bar = element("span", "bar");
    bar.style.width = `${Math.max(0.5, (100 * us) / longest)}%`;
    return element("li", kind, element("span", "name", name), " ", element("span", "time", time(us)), bar);
  });
  const list = element("ol", "bars", ...lines);
  // Lists without marks are lists to a screen reader if they say so.
  list.setAttribute("role", "list");
  const below = element("p", "origin", [note, `${origin}.`].filter(Boolean).join(" "));
  return element("figure", "measured", element("figcaption", "", title), list, below);
}

function draw(all) {
  document.getElementById("charts").replaceChildren(...all.map(figure));
}

const recorded = charts.map((chart) => ({
  ...chart,
  bars: chart.bars.map(({ name, us, ours }) => ({ name, us, kind: ours ? "ours" : "peer" })),
}));
document.getElementById("machine").textContent = machine;
draw(recorded);

/** Puts what the benchmark measured here, rows of `{ chart, simd }`, among the recorded bars. */
export function addBrowser(rows, backend) {
  const added = recorded.map((chart) => {
    const row = rows.find((row) => row.chart === chart.id);
    const own = row ? [{ name: `this browser, ${backend}`, us: row.simd, kind: "here" }] : [];
    return { ...chart, bars: [...chart.bars, ...own].sort((a, b) => a.us - b.us) };
  });
  draw(added);
}
