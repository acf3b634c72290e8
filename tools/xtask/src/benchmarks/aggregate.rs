//! The tables of aggregates: stages of the prover as a chart beside what the specification wanted, and the same signatures by
//! other means.

use super::FOLDER;
use crate::cargo::root;
use serde_json::Value;
use std::fmt::Write;

/// What was wanted, and what others say of themselves.
const ELSEWHERE: &str = "elsewhere/aggregate.json";

/// Both profiles: the scheme of its rows, its name in [`ELSEWHERE`], and what a reader calls it.
const PROFILES: [(&str, &str, &str); 2] = [
    ("aggregate-v1-provable100", "provable100", "100 bits"),
    ("aggregate-v1-provable128", "provable128", "128 bits"),
];

/// Milliseconds of a character of the chart.
const MS_OF_A_BLOCK: f64 = 0.1;

/// The rows of a measurement.
struct Rows<'a>(&'a [Value]);

impl Rows<'_> {
    fn find(&self, scheme: &str, name: &str) -> Result<&Value, String> {
        let name = format!("aggregate/{name}");
        let row = self.0.iter().find(|row| row["scheme"] == scheme && row["name"] == *name);
        row.ok_or(format!("no row {name} of {scheme}"))
    }

    fn median(&self, scheme: &str, name: &str) -> Result<f64, String> {
        self.find(scheme, name)?["median"].as_f64().ok_or(format!("no median of {name}"))
    }
}

/// All tables.
pub(super) fn tables(measurement: &Value) -> Result<String, String> {
    let path = root().join(FOLDER).join(ELSEWHERE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let elsewhere = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    of(measurement, &elsewhere)
}

fn of(measurement: &Value, elsewhere: &Value) -> Result<String, String> {
    let rows = Rows(measurement["results"].as_array().ok_or("it has no results")?);
    let mut text = String::new();
    for (scheme, key, title) in PROFILES {
        text += &chart(&rows, scheme, key, title, &elsewhere["budget"])?;
        text += "\n";
    }
    let source = elsewhere["budget"]["source"].as_str().ok_or("the budget has no source")?;
    writeln!(text, "The budget is that of {source}.\n").expect("to a string");
    text += &by_other_means(&rows, &elsewhere["published"])?;
    Ok(text)
}

/// The stages of a profile: the budget, what was measured, and that as a bar.
fn chart(rows: &Rows<'_>, scheme: &str, key: &str, title: &str, budget: &Value) -> Result<String, String> {
    let n = &rows.find(scheme, "in all")?["n"];
    let mut text = format!(
        "| {title}, {n} signatures, ms each | budget | measured | a block is {MS_OF_A_BLOCK} ms |\n|---|---:|---:|---|\n"
    );
    for stage in budget["stages"].as_array().ok_or("the budget has no stages")? {
        let name = stage["stage"].as_str().ok_or("a stage without a name")?;
        let bound = |i: usize| stage[key][i].as_f64().ok_or(format!("no budget of {name}"));
        let (least, most) = (bound(0)?, bound(1)?);
        let measured = match name {
            // Slices are computed where they are said, and kept for the opening: the stages that say them have them.
            "opening and slices" => rows.median(scheme, "opening")?,
            name => rows.median(scheme, name)?,
        };
        let range = if least == most { format!("{least:.2}") } else { format!("{least:.2} to {most:.2}") };
        let measured_text =
            if measured > most { format!("**{measured:.2}**") } else { format!("{measured:.2}") };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens at most")]
        let blocks = (measured / MS_OF_A_BLOCK).round() as usize;
        writeln!(text, "| {name} | {range} | {measured_text} | {} |", "█".repeat(blocks))
            .expect("to a string");
    }
    Ok(text)
}

/// The same signatures as an aggregate of either profile, one by one, together; then what others publish.
fn by_other_means(rows: &Rows<'_>, published: &Value) -> Result<String, String> {
    let plain = "xmss-blake2s-l32-d42b8";
    let n = rows.find(plain, "plain-bytes")?["n"].as_u64().ok_or("no number of signatures")?;
    let bytes = rows.median(plain, "plain-bytes")?;
    let mut text = format!(
        "| {n} signatures | bytes | proving, ms each | verifying, ms for all |\n|---|---:|---:|---:|\n"
    );
    for (name, title) in [("one-by-one", "one by one"), ("verify-many", "by `verify_many`")] {
        let took = rows.median(plain, name)?;
        writeln!(text, "| plain, {title} | {bytes:.0} | - | {took:.2} |").expect("to a string");
    }
    for (scheme, _, title) in PROFILES {
        let of = |name| rows.median(scheme, name);
        let (bytes, each, verify, memory) = (of("bytes")?, of("in all")?, of("verify")?, of("memory")?);
        writeln!(
            text,
            "| aggregate, {title}, {memory:.2} MB of memory a signature | {bytes:.0} | {each:.2} | {verify:.2} |"
        )
        .expect("to a string");
    }
    text += "\nWhat others publish of themselves, **not run here**, on other machines and about other statements:\n\n";
    text += "| who | machine | security | what | proof |\n|---|---|---|---|---:|\n";
    for row in published.as_array().ok_or("nothing is published")? {
        let word = |key: &str| row[key].as_str().ok_or(format!("no {key} in {row}"));
        let (who, source, bytes) = (word("who")?, word("source")?, word("bytes")?);
        let (machine, security, what) = (word("machine")?, word("security")?, word("what")?);
        writeln!(text, "| [{who}]({source}) | {machine} | {security} | {what} | {bytes} |")
            .expect("to a string");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn measured() -> Value {
        let mut rows = Vec::new();
        for (scheme, _, _) in PROFILES {
            for (name, median) in [
                ("witness", 0.2),
                ("opening", 0.3),
                ("in all", 1.24),
                ("verify", 7.0),
                ("memory", 2.9),
                ("bytes", 9.0),
            ] {
                let name = format!("aggregate/{name}");
                rows.push(json!({ "scheme": scheme, "name": name, "n": 461, "median": median }));
            }
        }
        for (name, median) in [("one-by-one", 12.0), ("verify-many", 1.5), ("plain-bytes", 556_888.0)] {
            let name = format!("aggregate/{name}");
            rows.push(
                json!({ "scheme": "xmss-blake2s-l32-d42b8", "name": name, "n": 461, "median": median }),
            );
        }
        json!({ "results": rows })
    }

    fn elsewhere() -> Value {
        let stage = |name: &str, least: f64, most: f64| json!({ "stage": name, "provable100": [least, most], "provable128": [least, most] });
        let stages =
            [stage("witness", 0.15, 0.15), stage("opening and slices", 0.3, 0.3), stage("in all", 1.3, 1.8)];
        json!({
            "budget": { "source": "a text", "stages": stages },
            "published": [
                { "who": "a", "source": "b", "machine": "c", "security": "d", "what": "e", "bytes": "f" }
            ],
        })
    }

    /// What is above its budget is bold, as losses are; bars are rounded; nobody's number is left out.
    #[test]
    fn stages_stand_beside_their_budget() {
        let made = of(&measured(), &elsewhere()).expect("it is complete");
        assert!(made.contains("| witness | 0.15 | **0.20** | ██ |\n"), "{made}");
        assert!(made.contains("| opening and slices | 0.30 | 0.30 | ███ |\n"), "{made}");
        assert!(made.contains("| in all | 1.30 to 1.80 | 1.24 | ████████████ |\n"), "{made}");
        assert!(made.contains("| plain, one by one | 556888 | - | 12.00 |\n"), "{made}");
        assert!(
            made.contains("| aggregate, 128 bits, 2.90 MB of memory a signature | 9 | 1.24 | 7.00 |\n"),
            "{made}"
        );
        assert!(made.contains("**not run here**") && made.contains("| [a](b) | c | d | e | f |\n"), "{made}");
        let mut lacking = measured();
        lacking["results"].as_array_mut().expect("rows").remove(0);
        assert!(of(&lacking, &elsewhere()).is_err());
        let mut lacking = elsewhere();
        lacking["published"][0]["security"] = Value::Null;
        assert!(of(&measured(), &lacking).is_err());
    }
}
