//! The report as a page: one file, light and dark, without scripts.

use crate::report::{Rates, Report};
use crate::result::Totals;
use std::fmt::{Display, Write};

/// Bad rows on the page.
const MAX_SHOWN: usize = 1000;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:light-dark(#d8dce2,#3a414b);--soft:light-dark(#596270,#a7b0bd);\
--good:light-dark(#176b37,#6fd394);--bad:light-dark(#a8201a,#ff8f87);--warn:light-dark(#8a5a00,#f0bb58)}\
body{font:16px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;\
background:light-dark(#fff,#15181d);color:light-dark(#171b21,#e7eaef)}\
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2rem}\
.answer{font-size:1.15rem;font-weight:600}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}\
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}\
th,td{padding:.35rem .7rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}p.soft{color:var(--soft)}";

/// The page.
pub(crate) fn page(report: &Report, rates: Option<&Rates>) -> String {
    let mut page = String::new();
    // Writing to memory does not fail.
    let _ = write_page(&mut page, report, rates);
    page
}

fn write_page(page: &mut String, report: &Report, rates: Option<&Rates>) -> std::fmt::Result {
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Signatures verified in bulk</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Signatures verified in bulk</h1>\n"
    )?;
    let (class, answer) = answer(report);
    writeln!(page, "<p class=\"answer {class}\">{answer}</p>")?;
    if let Some(rates) = rates {
        rates_of(page, rates)?;
    }
    page.push_str("<h2>By scheme</h2>\n");
    open(page, &["Scheme", "Rows", "Valid", "Invalid", "Malformed"], 1)?;
    for (scheme, totals) in &report.schemes {
        let name = if scheme.is_empty() { "no known scheme" } else { scheme };
        writeln!(page, "<tr><td>{}</td>{}</tr>", Escaped(name), numbers(totals))?;
    }
    writeln!(page, "<tr><th scope=\"row\">All</th>{}</tr>", numbers(&report.totals))?;
    close(page);
    page.push_str("<h2>Files</h2>\n");
    open(page, &["File", "Rows", "Valid", "Invalid", "Malformed"], 1)?;
    for input in &report.inputs {
        let problem = input
            .problem
            .as_ref()
            .map(|problem| format!("<br><span class=\"warn\">cannot be read: {}</span>", Escaped(problem)));
        writeln!(
            page,
            "<tr><td>{}{}<br><code>SHA-256 {}</code></td>{}</tr>",
            Escaped(&input.path),
            problem.unwrap_or_default(),
            Escaped(&input.sha256),
            numbers(&input.totals)
        )?;
    }
    close(page);
    writeln!(
        page,
        "<h2>To compare with another run</h2>\n<p>Root of the tree over the verdicts of all rows, in order: \
         <br><code>{}</code></p>\n<p class=\"soft\">Equal roots are equal verdicts on equally many rows. \
         Profile of Ed25519 where a row names none: {}.</p>",
        report.verdicts_root,
        Escaped(&report.options.profile)
    )?;
    if !report.quarantined.is_empty() {
        let rows: u64 = report.quarantined.iter().map(|chunk| chunk.rows).sum();
        writeln!(
            page,
            "<p class=\"warn\">{rows} rows in {} chunks were not verified: see below, and report.json. The job can be \
             resumed.</p>",
            report.quarantined.len()
        )?;
    }
    bad_rows(page, report)?;
    page.push_str("</main>\n</body>\n</html>\n");
    Ok(())
}

/// The answer in a sentence, and its colour.
fn answer(report: &Report) -> (&'static str, String) {
    let Totals { total, valid, invalid, malformed } = report.totals;
    let unread = report.inputs.iter().filter(|input| input.problem.is_some()).count();
    if total == 0 {
        return ("warn", "There are no rows.".to_owned());
    }
    let mut answer = format!("{valid} of {total} signatures verify");
    if invalid > 0 {
        answer += &format!(", {invalid} do not");
    }
    if malformed > 0 {
        answer += &format!(", {malformed} rows are malformed");
    }
    if unread > 0 {
        answer += &format!("; {unread} of {} files cannot be read", report.inputs.len());
    }
    let class = match (invalid, report.is_malformed()) {
        (0, false) => "good",
        (0, true) => "warn",
        _ => "bad",
    };
    (class, answer + ".")
}

#[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
fn rates_of(page: &mut String, rates: &Rates) -> std::fmt::Result {
    let Rates { rows, rows_before, threads, planned_s, seconds } = rates;
    write!(
        page,
        "<p class=\"soft\" id=\"rates\">{rows} rows in {seconds:.1} s on {threads} threads: {:.0} a second; \
         {planned_s:.1} s of that for the digests of the files.",
        *rows as f64 / seconds.max(1e-9)
    )?;
    if *rows_before > 0 {
        write!(page, " {rows_before} rows had been verified before.")?;
    }
    page.push_str("</p>\n");
    Ok(())
}

fn bad_rows(page: &mut String, report: &Report) -> std::fmt::Result {
    if report.bad.is_empty() {
        return Ok(());
    }
    page.push_str("<h2>Bad rows</h2>\n");
    open(page, &["File", "Line or row", "Verdict", "Reason"], 4)?;
    for row in report.bad.iter().take(MAX_SHOWN) {
        let path = report.inputs.get(row.input).map_or("", |input| &input.path);
        let class = if row.bad.verdict == "invalid" { "bad" } else { "warn" };
        writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"{class}\">{}</td><td>{}</td></tr>",
            Escaped(path),
            row.bad.position,
            row.bad.verdict,
            Escaped(&row.bad.reason)
        )?;
    }
    close(page);
    let more = (report.bad.len() as u64 + report.bad_unlisted).saturating_sub(MAX_SHOWN as u64);
    if more > 0 {
        writeln!(page, "<p class=\"soft\">{more} more are in results.csv.</p>")?;
    }
    Ok(())
}

/// Opens a table; from column `numbers` on there are numbers.
fn open(page: &mut String, names: &[&str], numbers: usize) -> std::fmt::Result {
    page.push_str("<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>");
    for (column, name) in names.iter().enumerate() {
        let class = if column >= numbers { " class=\"n\"" } else { "" };
        write!(page, "<th scope=\"col\"{class}>{name}</th>")?;
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    Ok(())
}

fn close(page: &mut String) {
    page.push_str("</tbody>\n</table>\n</div>\n");
}

fn numbers(totals: &Totals) -> String {
    let Totals { total, valid, invalid, malformed } = totals;
    [total, valid, invalid, malformed].map(|number| format!("<td class=\"n\">{number}</td>")).concat()
}

/// Text that came from outside.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            c => f.write_char(c),
        })
    }
}
