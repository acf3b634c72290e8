//! What the dashboard and the alerts ask for is what the signer prints.

use super::{EVERYTHING, OPEN, Place};
use phalanx_custody::remote::{Client, Endpoint, Method, Options};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The metrics that a text of PromQL names.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_metric =
        |word: &&str| (word.starts_with("phalanx_") || word.starts_with("lean_")) && !word.ends_with('_');
    words.filter(is_metric).map(base).collect()
}

/// The metric that a series belongs to.
fn base(series: &str) -> String {
    let ends = ["_bucket", "_sum", "_count"];
    ends.iter().find_map(|end| series.strip_suffix(end)).unwrap_or(series).to_owned()
}

/// The texts of the member `name`, wherever it stands.
fn texts(value: &serde_json::Value, name: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(list) => list.iter().for_each(|value| texts(value, name, found)),
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                match value.as_str() {
                    Some(text) if key == name => found.push(text.to_owned()),
                    _ => texts(value, name, found),
                }
            }
        }
        _ => {}
    }
}

fn deploy(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_metric_that_is_asked_for_is_printed() {
    let place = Place::new();
    let signer = place.start(OPEN, EVERYTHING);
    let client = Client::new(Options::new(Endpoint::parse(&place.url("http")).expect("an address")));
    let client = client.expect("a client");
    let key = &place.rig.keys()[0];
    assert!(client.sign(key, 5, &[1; 32]).is_ok() && client.sign(key, 5, &[2; 32]).is_err());
    // Where keys stand is looked at when somebody asks for it.
    assert_eq!(client.keys().expect("a list").len(), 2);
    let text = String::from_utf8(client.send(Method::Get, "/metrics", None).expect("an answer").body);
    let text = text.expect("UTF-8");
    let printed: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect();

    let dashboard = serde_json::from_str(&deploy("grafana/phalanx-signer.json")).expect("JSON");
    let mut asked = Vec::new();
    texts(&dashboard, "expr", &mut asked);
    texts(&dashboard, "query", &mut asked);
    let alerts = deploy("prometheus/alerts.yml");
    let alerts: Vec<_> = alerts.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).collect();
    assert!(asked.len() > 15 && alerts.len() > 5, "the reader is blind");
    for expression in asked.iter().map(String::as_str).chain(alerts.iter().copied()) {
        for name in named(expression) {
            assert!(
                printed.contains(&name),
                "'{expression}' asks for {name}, which is not among {printed:?}"
            );
        }
    }
    // What an alert looks at has the labels it looks at, and has risen.
    let used = text
        .lines()
        .find(|line| line.starts_with("phalanx_sign_requests_total") && line.contains("epoch_used"));
    assert!(
        used.is_some_and(|line| line.contains("answer=\"epoch_used\"") && line.ends_with(" 1")),
        "{text}"
    );
    for name in [
        "phalanx_key_remaining_epochs",
        "phalanx_key_epochs",
        "phalanx_key_prepared_end",
        "phalanx_key_highest",
    ] {
        let labelled =
            text.lines().any(|line| line.starts_with(&format!("{name}{{")) && line.contains("key_id8=\""));
        assert!(labelled, "{name} has no key: {text}");
    }
    assert!(signer.stop().expect("it runs").success());
}

#[test]
fn a_metric_that_is_not_printed_is_noticed() {
    let words = "rate(phalanx_sign_seconds_bucket{instance=~\"a\"}[5m]) / phalanx_x_y and lean_node_info";
    let found = named(words);
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["lean_node_info", "phalanx_sign_seconds", "phalanx_x_y"]
    );
}
