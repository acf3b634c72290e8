// The benchmark's chart: for each operation a pair of bars, its own unit, as long as its time beside the slower one's.

const SVG = "http://www.w3.org/2000/svg";

function draw(parent, name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

/** A time in words. */
export function time(microseconds) {
  const [value, unit] = microseconds < 1000 ? [microseconds, "µs"] : [microseconds / 1000, "ms"];
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

/** Draws `rows` of `{ name, simd, scalar }`, times in microseconds. */
export function chart(rows, width) {
  const narrow = width < 480;
  const [left, right] = [narrow ? 0 : 236, 92];
  const [bar, gap, top] = [15, narrow ? 36 : 20, narrow ? 22 : 4];
  const height = rows.length * (2 * bar + 3 + gap) + top;
  const longest = width - left - right;
  const says = rows.map(({ name, simd, scalar }) => `${name}: ${time(simd)} with SIMD, ${time(scalar)} without`);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", says.join("; "));
  rows.forEach(({ name, simd, scalar }, i) => {
    const y = top + i * (2 * bar + 3 + gap);
    draw(svg, "text", narrow ? { x: 0, y: y - 7 } : { x: 0, y: y + bar + 6 }, name);
    [
      ["simd", simd],
      ["scalar", scalar],
    ].forEach(([build, value], j) => {
      const at = y + j * (bar + 3);
      const length = Math.max(2, (longest * value) / Math.max(simd, scalar));
      draw(svg, "rect", { x: left, y: at, width: length, height: bar, rx: 3, class: build });
      draw(svg, "text", { x: left + length + 8, y: at + 12, class: `value${j ? " soft" : ""}` }, time(value));
    });
  });
  return svg;
}
