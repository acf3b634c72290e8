//! The page that `--report` writes: one file, which loads nothing; charts as SVG, for light and dark, wide and narrow.

use super::measure::Row;
use super::peers::Ratio;
use super::report::{Results, number};
use std::fmt::Write;

/// Widths in the charts' own units: of labels, of what is drawn, and of values beside it.
const LABEL: f64 = 190.0;
const DRAWN: f64 = 400.0;
const VALUE: f64 = 110.0;

/// Height of a bar with its distance, and of a drawing of lines.
const LINE: f64 = 22.0;
const HEIGHT: f64 = 200.0;

/// Fewest sizes that make a line.
const MIN_SIZES: usize = 3;

/// The sections, each with what operations' names begin with; kernels have the names of their algorithms.
const SECTIONS: [(&str, &str); 5] = [
    ("xmss", "XMSS"),
    ("ed25519", "Ed25519"),
    ("rescue", "Rescue"),
    ("ligerito", "Ligerito"),
    ("", "Kernels of XMSS"),
];

/// The page.
pub(super) fn html(results: &Results, command: &str, peers: &[Ratio]) -> String {
    let mut page = String::from(HEAD);
    about(&mut page, results, command);
    let mut rest: Vec<&Row> = results.results.iter().collect();
    for (prefix, title) in SECTIONS {
        let (here, others) = rest.into_iter().partition(|row| row.name.starts_with(prefix));
        rest = others;
        section(&mut page, title, &here);
    }
    ratios(&mut page, peers);
    table(&mut page, &results.results);
    page.push_str("</main>\n</html>\n");
    page
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>phalanx bench</title>
<style>
:root { color-scheme: light dark; --portable: #6b6b6b; --avx2: #0072b2; --avx2-gfni: #007a5a; --avx512: #b35a00;
  --avx512-ifma: #a3327a; --neon: #0072b2; --wasm128: #0072b2; --loss: #c22; }
@media (prefers-color-scheme: dark) { :root { --portable: #a0a0a0; --avx2: #56b4e9; --avx2-gfni: #2fc79a;
  --avx512: #f0a33a; --avx512-ifma: #e58cc3; --neon: #56b4e9; --wasm128: #56b4e9; --loss: #ff7b72; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
svg { width: 100%; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.spread, .axis { stroke: currentColor; fill: none; }
.axis { opacity: .4; }
.curve { fill: none; stroke-width: 2; }
.many { stroke-dasharray: 6 3; }
.point { fill: none; stroke-width: 2; }
@media (max-width: 600px) { svg text { font-size: 16px; } }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; }
td, th { padding: .2em .6em; border-bottom: 1px solid #8886; text-align: left; white-space: nowrap; }
</style>
<main>
<h1>phalanx bench</h1>
";

/// What was measured where, and how the charts are read.
fn about(page: &mut String, results: &Results, command: &str) {
    let machine = &results.machine;
    let quick = if results.quick { "; a quick run" } else { "" };
    let said = format!(
        "{}, {} threads, {} {}; phalanx {}, commit {}; time {} (Unix){quick}",
        machine.cpu,
        machine.cores,
        machine.os,
        machine.arch,
        machine.version,
        results.commit,
        machine.time_unix,
    );
    push(page, format_args!("<p>{}</p>\n<p><code>{}</code></p>\n", escaped(&said), escaped(command)));
    page.push_str(
        "<p>Bars are medians for one operation, thin lines reach from the fastest to the slowest sample: shorter is better. \
         Curves are operations in a second against how many are done together: higher is better; dashed, or a ring, with \
         more threads than one.</p>\n",
    );
}

/// The charts of one system, one for each operation of each scheme.
fn section(page: &mut String, title: &str, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    push(page, format_args!("<h2>{title}</h2>\n"));
    // Rows of one operation need not stand together: batches of different sizes are measured one after the other.
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let same = |one: &Row| one.name == row.name && one.scheme == row.scheme && one.profile == row.profile;
        let alike = |group: &&mut Vec<&Row>| same(group[0]) && group[0].message_bytes == row.message_bytes;
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    for group in &groups {
        let title = title_of(group[0]);
        push(page, format_args!("<h3>{}</h3>\n", escaped(&title)));
        if sizes(group).len() >= MIN_SIZES && seconds(group[0].unit).is_some() {
            curves(page, &title, group);
        } else {
            bars(page, &title, group);
        }
    }
}

fn title_of(row: &Row) -> String {
    let mut title = format!("{} of {}", row.name, row.scheme);
    if let Some(profile) = row.profile {
        title += &format!(", {profile}");
    }
    if let Some(bytes) = row.message_bytes {
        title += &format!(", messages of {bytes} bytes");
    }
    title
}

/// The different sizes of batches, least first.
fn sizes(group: &[&Row]) -> Vec<u64> {
    let mut sizes: Vec<u64> = group.iter().map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Seconds of a unit of time; `None` of what is counted.
fn seconds(unit: &str) -> Option<f64> {
    match unit {
        "ns" => Some(1e-9),
        "us" => Some(1e-6),
        "ms" => Some(1e-3),
        "s" => Some(1.0),
        _ => None,
    }
}

fn open_svg(page: &mut String, title: &str, height: f64) {
    let title = escaped(title);
    push(
        page,
        format_args!(
            "<svg viewBox=\"0 0 {} {height}\" role=\"img\" aria-label=\"{title}\">\n",
            LABEL + DRAWN + VALUE
        ),
    );
}

/// A bar for every backend and number of threads.
fn bars(page: &mut String, title: &str, group: &[&Row]) {
    let longest = group.iter().map(|row| row.max).fold(f64::MIN_POSITIVE, f64::max);
    let length = |value: f64| value / longest * DRAWN;
    open_svg(page, title, LINE * group.len() as f64);
    for (i, row) in group.iter().enumerate() {
        let top = LINE * i as f64;
        let mut label = contender(row);
        if group.iter().any(|other| other.n != row.n) {
            label += &format!(", n = {}", row.n);
        }
        let text = format!("{} {}", number(row.median), row.unit);
        bar(page, top, &label, length(row.median), row.backend);
        let (from, to) = (LABEL + length(row.min), LABEL + length(row.max));
        let middle = top + 11.0;
        push(page, format_args!("<path class=\"spread\" d=\"M{from:.1} {middle}H{to:.1}\"/>"));
        push(page, format_args!("<text x=\"{:.1}\" y=\"{}\">{text}</text>\n", to + 6.0, top + 15.0));
    }
    page.push_str("</svg>\n");
}

fn bar(page: &mut String, top: f64, label: &str, length: f64, color: &str) {
    push(page, format_args!("<text x=\"0\" y=\"{}\">{}</text>", top + 15.0, escaped(label)));
    push(
        page,
        format_args!(
            "<rect x=\"{LABEL}\" y=\"{}\" width=\"{length:.1}\" height=\"14\" fill=\"var(--{color})\"/>",
            top + 4.0
        ),
    );
}

fn contender(row: &Row) -> String {
    let plural = if row.threads == 1 { "" } else { "s" };
    format!("{}, {} thread{plural}", row.backend, row.threads)
}

/// Operations in a second against the size of a batch: a curve for every backend and number of threads.
fn curves(page: &mut String, title: &str, group: &[&Row]) {
    let rate = |row: &Row| seconds(row.unit).map_or(0.0, |unit| 1.0 / (row.median * unit));
    let highest = group.iter().map(|row| rate(row)).fold(f64::MIN_POSITIVE, f64::max);
    let sizes = sizes(group);
    let (least, most) = (sizes[0].max(1) as f64, sizes[sizes.len() - 1].max(2) as f64);
    let across = |n: u64| LABEL + (n.max(1) as f64 / least).ln() / (most / least).ln() * DRAWN;
    let up = |rate: f64| 10.0 + (1.0 - rate / highest) * HEIGHT;
    open_svg(page, title, HEIGHT + 34.0);
    push(page, format_args!("<path class=\"axis\" d=\"M{LABEL} 10V{}H{}\"/>", HEIGHT + 10.0, LABEL + DRAWN));
    push(
        page,
        format_args!("<text x=\"{}\" y=\"20\" text-anchor=\"end\">{}/s</text>", LABEL - 6.0, count(highest)),
    );
    for n in marked(&sizes) {
        let x = across(n);
        push(
            page,
            format_args!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{n}</text>", HEIGHT + 28.0),
        );
    }
    let mut lowest_label = f64::MIN;
    for curve in in_curves(group).iter().rev() {
        let points: Vec<_> = curve.iter().map(|row| (across(row.n), up(rate(row)))).collect();
        mark(page, curve[0], &points);
        // Labels of curves that end close together stand below each other; a ring has its label where it is pointed at.
        if points.len() > 1 {
            let label = points[points.len() - 1].1.max(lowest_label + 13.0);
            lowest_label = label;
            push(page, format_args!("<text x=\"{}\" y=\"{:.1}\">", LABEL + DRAWN + 6.0, label + 4.0));
            push(page, format_args!("{}{}</text>\n", curve[0].backend, times(curve[0].threads as u64)));
        }
    }
    page.push_str("</svg>\n");
}

/// A curve through points, or a ring around the only one.
fn mark(page: &mut String, row: &Row, points: &[(f64, f64)]) {
    let (color, title) = (row.backend, escaped(&contender(row)));
    if let [(x, y)] = points {
        push(page, format_args!("<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" "));
    } else {
        let class = if row.threads > 1 { "curve many" } else { "curve" };
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        push(page, format_args!("<path class=\"{class}\" d=\"M{}\" ", points.join("L")));
    }
    let end = if points.len() == 1 { "circle" } else { "path" };
    push(page, format_args!("stroke=\"var(--{color})\"><title>{title}</title></{end}>\n"));
}

/// Nothing for one thread.
fn times(threads: u64) -> String {
    if threads > 1 { format!(" x {threads}") } else { String::new() }
}

/// The rows of each backend and number of threads, by size; the slowest curve first.
fn in_curves<'a>(group: &[&'a Row]) -> Vec<Vec<&'a Row>> {
    let mut curves: Vec<Vec<&Row>> = Vec::new();
    for row in group {
        let same =
            |curve: &&mut Vec<&Row>| (curve[0].backend, curve[0].threads) == (row.backend, row.threads);
        match curves.iter_mut().find(same) {
            Some(curve) => curve.push(row),
            None => curves.push(vec![row]),
        }
    }
    curves.iter_mut().for_each(|curve| curve.sort_by_key(|row| row.n));
    let last = |curve: &Vec<&Row>| curve[curve.len() - 1].median;
    curves.sort_by(|a, b| last(b).total_cmp(&last(a)));
    curves
}

/// At most seven of the sizes, the first and the last among them.
fn marked(sizes: &[u64]) -> Vec<u64> {
    let step = sizes.len().div_ceil(7).max(1);
    let last = sizes.len() - 1;
    sizes.iter().enumerate().filter(|(i, _)| (last - i).is_multiple_of(step)).map(|(_, n)| *n).collect()
}

/// `1234567` as `1.23 M`.
fn count(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e3 => format!("{:.1} k", v / 1e3),
        v => number(v),
    }
}

/// How many times faster than peers: a bar for each, with a line where both are as fast.
fn ratios(page: &mut String, peers: &[Ratio]) {
    if peers.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Beside other implementations</h2>\n<p>How many times faster, measured by turns in one process. The line is where \
         both are as fast; what is on its left, in red, loses.</p>\n",
    );
    let mut operations: Vec<&str> = peers.iter().map(|one| &*one.operation).collect();
    operations.sort_unstable();
    operations.dedup();
    for operation in operations {
        let here: Vec<_> = peers.iter().filter(|one| one.operation == operation).collect();
        push(page, format_args!("<h3>{}</h3>\n", escaped(operation)));
        ratio_bars(page, operation, &here);
    }
}

fn ratio_bars(page: &mut String, title: &str, rows: &[&Ratio]) {
    let longest = rows.iter().map(|row| row.ratio).fold(1.0, f64::max);
    let length = |ratio: f64| ratio.max(0.0) / longest * DRAWN;
    // A line of text above each bar: names of peers are long.
    let line = 2.0 * LINE;
    open_svg(page, title, line * rows.len() as f64);
    for (i, row) in rows.iter().enumerate() {
        let top = line * i as f64;
        let said = format!("{} {}", row.peer, row.peer_version);
        push(page, format_args!("<text x=\"0\" y=\"{}\">{}</text>", top + 15.0, escaped(&said)));
        let label = format!("{}{}, n = {}", row.backend, times(row.threads), row.n);
        let color = if row.ratio < 1.0 { "loss" } else { row.color() };
        bar(page, top + LINE - 4.0, &label, length(row.ratio), color);
        let (x, y) = (LABEL + length(row.ratio) + 6.0, top + LINE + 11.0);
        push(page, format_args!("<text x=\"{x:.1}\" y=\"{y}\">{:.2}</text>\n", row.ratio));
    }
    let equal = LABEL + length(1.0);
    push(
        page,
        format_args!("<path class=\"axis\" d=\"M{equal:.1} 0V{}\"/></svg>\n", line * rows.len() as f64),
    );
}

/// Every row, in figures.
fn table(page: &mut String, rows: &[Row]) {
    page.push_str("<h2>All figures</h2>\n<div class=\"wide\" tabindex=\"0\">\n<table>\n<tr>");
    for head in ["operation", "scheme", "backend", "threads", "median", "min", "max", "unit", "n", "samples"]
    {
        push(page, format_args!("<th scope=\"col\">{head}"));
    }
    page.push_str("</tr>\n");
    for row in rows {
        let (name, scheme) = (escaped(&row.name), escaped(&row.scheme));
        push(page, format_args!("<tr><td>{name}<td>{scheme}<td>{}<td>{}", row.backend, row.threads));
        let (median, min, max) = (number(row.median), number(row.min), number(row.max));
        push(
            page,
            format_args!(
                "<td>{median}<td>{min}<td>{max}<td>{}<td>{}<td>{}</tr>\n",
                row.unit, row.n, row.samples
            ),
        );
    }
    page.push_str("</table>\n</div>\n");
}

/// Appends formatted text; a string takes everything.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string takes everything");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_marked_from_the_last_one_back() {
        assert_eq!(marked(&[1, 2, 3]), [1, 2, 3]);
        let many: Vec<u64> = (1..=20).collect();
        let some = marked(&many);
        assert!(some.len() <= 7 && some.last() == Some(&20), "{some:?}");
    }

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
        assert_eq!([count(12.3), count(4_500.0), count(2_345_678.0)], ["12.3", "4.5 k", "2.35 M"]);
    }
}
