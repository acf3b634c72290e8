//! Reads which backends the CPU has from `phalanx cpu --json`, and judges the ones that were required.

/// A backend that this build of phalanx knows.
#[derive(Debug, PartialEq)]
pub(crate) struct Backend {
    pub(crate) name: String,
    pub(crate) available: bool,
}

/// Reads `"backends":[{"name":"portable","available":true},...]` out of a JSON object; other fields may stand beside.
pub(crate) fn parse(json: &str) -> Result<Vec<Backend>, String> {
    let (_, rest) = json.split_once("\"backends\"").ok_or("no \"backends\" in the answer")?;
    let rest = rest.trim_start().strip_prefix(':').ok_or("no `:` after \"backends\"")?;
    let mut rest = rest.trim_start().strip_prefix('[').ok_or("\"backends\" is no list")?.trim_start();
    let mut backends = Vec::new();
    while let Some(open) = rest.strip_prefix('{') {
        let (object, after) = open.split_once('}').ok_or("a backend's object does not end")?;
        if object.contains('{') {
            return Err("a backend has nested objects: xtask must learn to read them".to_owned());
        }
        backends.push(parse_backend(object)?);
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    if !rest.starts_with(']') {
        return Err("the list of backends does not end".to_owned());
    }
    if !backends.iter().any(|backend| backend.name == "portable" && backend.available) {
        return Err("the portable backend is missing".to_owned());
    }
    Ok(backends)
}

fn parse_backend(object: &str) -> Result<Backend, String> {
    let name = value(object, "name")?.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let (name, _) = name.ok_or_else(|| format!("a backend's name is no string: {object}"))?;
    let available = value(object, "available")?;
    let available = match (available.starts_with("true"), available.starts_with("false")) {
        (true, _) => true,
        (_, true) => false,
        _ => return Err(format!("\"available\" is neither true nor false: {object}")),
    };
    Ok(Backend { name: name.to_owned(), available })
}

/// What follows `"key":` in a flat object.
fn value<'a>(object: &'a str, key: &str) -> Result<&'a str, String> {
    let missing = || format!("a backend without \"{key}\": {object}");
    let (_, rest) = object.split_once(&format!("\"{key}\"")).ok_or_else(missing)?;
    Ok(rest.trim_start().strip_prefix(':').ok_or_else(missing)?.trim_start())
}

/// The names in `required` (separated by commas) that are not available.
pub(crate) fn missing<'a>(required: &'a str, backends: &[Backend]) -> Vec<&'a str> {
    let names = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.filter(|name| !backends.iter().any(|backend| backend.name == *name && backend.available)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backend(name: &str, available: bool) -> Backend {
        Backend { name: name.to_owned(), available }
    }

    #[test]
    fn reads_compact_and_spread_out_json() {
        let compact = r#"{"cpu":"x","backends":[{"name":"portable","available":true},{"name":"avx2","available":false}],"a":[]}"#;
        let spread = "{\n  \"backends\" : [\n    { \"available\" : true, \"lanes\": 1, \"name\" : \"portable\" },\n    \
                      {\n \"available\": false,\n \"name\": \"avx2\"\n }\n  ]\n}\n";
        let expected = [backend("portable", true), backend("avx2", false)];
        assert_eq!(parse(compact).as_deref(), Ok(&expected[..]));
        assert_eq!(parse(spread).as_deref(), Ok(&expected[..]));
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        for json in [
            "",
            "{}",
            r#"{"backends":{}}"#,
            r#"{"backends":[]}"#,
            r#"{"backends":[{"name":"avx2","available":true}]}"#,
            r#"{"backends":[{"name":"portable","available":false}]}"#,
            r#"{"backends":[{"name":"portable","available":"yes"}]}"#,
            r#"{"backends":[{"name":"portable"}]}"#,
            r#"{"backends":[{"name":"portable","available":true}"#,
            r#"{"backends":["portable"]}"#,
        ] {
            assert!(parse(json).is_err(), "{json}");
        }
    }

    #[test]
    fn required_backends_must_be_available() {
        let backends = [backend("portable", true), backend("avx2", true), backend("avx512", false)];
        assert!(missing("", &backends).is_empty());
        assert!(missing("portable, avx2", &backends).is_empty());
        assert_eq!(missing("avx2,avx512,misspelt", &backends), ["avx512", "misspelt"]);
    }
}
