//! Results for people: a table, and a page with charts.

use super::machine::Machine;
use super::measure::Row;
use super::{ed25519, ligerito, rescue};
use crate::exit::Failure;
use crate::output::Output;
use serde::Serialize;
use std::fmt::Write;

/// What `--json` writes.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) machine: Machine,
    pub(super) commit: String,
    pub(super) quick: bool,
    pub(super) results: Vec<Row>,
}

/// Prints the table.
pub(super) fn print_table(results: &Results, output: &Output) -> Result<(), Failure> {
    let machine = &results.machine;
    output.line(format_args!("{}, {} threads, {}", machine.cpu, machine.cores, machine.os))?;
    output.line(format_args!(
        "{:38} {:28} {:8} {:>7} {:>6} {:>11} {:>11} {:>11} {:>7}",
        "operation", "scheme", "backend", "threads", "n", "median", "min", "max", "samples"
    ))?;
    for row in &results.results {
        let time = |value| format!("{} {}", number(value), row.unit);
        output.line(format_args!(
            "{:38} {:28} {:8} {:>7} {:>6} {:>11} {:>11} {:>11} {:>7}",
            row.name,
            row.scheme,
            row.backend,
            row.threads,
            row.n,
            time(row.median),
            time(row.min),
            time(row.max),
            row.samples
        ))?;
    }
    ed25519::print_table(&results.results, output)?;
    rescue::print_table(&results.results, output)?;
    ligerito::print_table(&results.results, output)
}

/// Three figures or more.
fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// The page: nothing in it is loaded from elsewhere.
pub(super) fn html(results: &Results) -> String {
    let mut page = String::from(HEAD);
    let machine = &results.machine;
    let about = format!(
        "{}, {} threads, {} {}; phalanx {}, commit {}; time {} (Unix){}",
        machine.cpu,
        machine.cores,
        machine.os,
        machine.arch,
        machine.version,
        results.commit,
        machine.time_unix,
        if results.quick { "; quick run" } else { "" },
    );
    push(&mut page, format_args!("<p>{}</p>\n", escaped(&about)));
    // Rows of one operation need not stand together: batches of different sizes are measured one after the other.
    let mut charted: Vec<Vec<Row>> = Vec::new();
    for row in &results.results {
        let alike = |group: &&mut Vec<Row>| (&group[0].name, &group[0].scheme) == (&row.name, &row.scheme);
        match charted.iter_mut().find(alike) {
            Some(group) => group.push(row.clone()),
            None => charted.push(vec![row.clone()]),
        }
    }
    charted.iter().for_each(|group| chart(&mut page, group));
    page.push_str(
        "<table>\n<tr><th>operation<th>scheme<th>backend<th>threads<th>median<th>min<th>max<th>unit<th>n",
    );
    page.push_str("<th>samples</tr>\n");
    for row in &results.results {
        push(
            &mut page,
            format_args!("<tr><td>{}<td>{}<td>{}", escaped(&row.name), escaped(&row.scheme), row.backend),
        );
        push(&mut page, format_args!("<td>{}<td>{}", row.threads, number(row.median)));
        push(&mut page, format_args!("<td>{}<td>{}<td>{}", number(row.min), number(row.max), row.unit));
        push(&mut page, format_args!("<td>{}<td>{}</tr>\n", row.n, row.samples));
    }
    page.push_str("</table>\n</html>\n");
    page
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>phalanx bench</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; }
td, th { padding: .2em .6em; border-bottom: 1px solid #8884; text-align: left; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
rect { fill: #4a7db8; }
line { stroke: currentColor; }
</style>
<h1>phalanx bench</h1>
<p>Bars are medians for one operation, lines reach from the fastest to the slowest sample. Shorter is better.</p>
";

/// One operation of one scheme: a bar for every backend, number of threads and size of a batch.
fn chart(page: &mut String, group: &[Row]) {
    const LABEL: f64 = 200.0;
    const BAR: f64 = 480.0;
    const LINE: f64 = 22.0;
    let longest = group.iter().map(|row| row.max).fold(f64::MIN_POSITIVE, f64::max);
    let length = |value: f64| value / longest * BAR;
    let title = format!("{} of {}", group[0].name, group[0].scheme);
    push(page, format_args!("<h2>{}</h2>\n", escaped(&title)));
    let (width, height) = (LABEL + BAR + 110.0, LINE * group.len() as f64);
    push(page, format_args!("<svg width=\"{width}\" height=\"{height}\" role=\"img\">\n"));
    for (i, row) in group.iter().enumerate() {
        let top = LINE * i as f64;
        let (base, middle) = (top + 15.0, top + 11.0);
        let plural = if row.threads == 1 { "" } else { "s" };
        let mut label = format!("{}, {} thread{plural}", row.backend, row.threads);
        if group.iter().any(|other| other.n != row.n) {
            label += &format!(", n = {}", row.n);
        }
        push(page, format_args!("<text x=\"0\" y=\"{base}\">{}</text>", escaped(&label)));
        push(
            page,
            format_args!(
                "<rect x=\"{LABEL}\" y=\"{}\" width=\"{:.1}\" height=\"14\"/>",
                top + 4.0,
                length(row.median)
            ),
        );
        let (from, to) = (LABEL + length(row.min), LABEL + length(row.max));
        push(page, format_args!("<line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{middle}\" y2=\"{middle}\"/>"));
        let text = format!("{} {}", number(row.median), row.unit);
        push(
            page,
            format_args!("<text x=\"{:.1}\" y=\"{base}\">{text}</text>\n", LABEL + length(row.max) + 6.0),
        );
    }
    page.push_str("</svg>\n");
}

/// Appends formatted text; a string takes everything.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string takes everything");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
