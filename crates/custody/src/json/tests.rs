use super::*;

const LIMITS: Limits = Limits::KEYSTORE;

fn canonical(text: &str) -> Result<String, Error> {
    parse(text.as_bytes(), LIMITS).map(|value| value.canonical())
}

#[test]
fn canonical_form_by_hand() {
    let cases = [
        (r#" { "b" : [ 1 , 2 ] , "a" : null } "#, r#"{"a":null,"b":[1,2]}"#),
        ("[true,false,0,9007199254740991]", "[true,false,0,9007199254740991]"),
        (r#""\u0041\/\u00e9\ud83d\ude00""#, "\"A/é😀\""),
        (r#""\"\\\b\f\n\r\t\u0001\u001f\u007f""#, "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}\""),
        ("{}", "{}"),
        ("[]", "[]"),
        ("{\"\":{\"\":[]}}", "{\"\":{\"\":[]}}"),
    ];
    for (text, wanted) in cases {
        assert_eq!(canonical(text).as_deref(), Ok(wanted), "{text}");
    }
}

#[test]
fn members_are_sorted_by_utf16_units() {
    // The order of RFC 8785, section 3.2.3: U+FB33 comes after U+1F600, whose first unit is D83D.
    let text = r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#;
    let wanted = "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}";
    assert_eq!(canonical(text).as_deref(), Ok(wanted));
}

#[test]
fn what_two_readers_could_read_differently_is_refused() {
    let cases = [
        ("", "the text ends"),
        ("\u{feff}{}", "not a value"),
        ("{} x", "something after the value"),
        ("{}\0", "something after the value"),
        (r#"{"a":1,"a":1}"#, "a member twice in the object"),
        (r#"{"a":1,"\u0061":1}"#, "a member twice in the object"),
        ("1.0", "a number that is no integer"),
        ("1e3", "a number that is no integer"),
        ("-1", "a number with a sign"),
        ("-0", "a number with a sign"),
        ("01", "a number that begins with 0"),
        ("00", "a number that begins with 0"),
        ("9007199254740992", "an integer above 2^53 - 1"),
        ("99999999999999999999999999", "an integer above 2^53 - 1"),
        ("[1,]", "not a value"),
        (r#"{"a":1,}"#, "not the name of a member"),
        (r#"{"a" 1}"#, "no colon after the name of a member"),
        ("[1 2]", "neither a comma nor the end of the list"),
        ("{\"a\":1", "neither a comma nor the end of the object"),
        ("\"a", "a text without end"),
        ("\"a\nb\"", "a control character in a text"),
        (r#""\x41""#, "not an escape"),
        (r#""\u12g4""#, "not four hexadecimal digits"),
        (r#""\u+123""#, "not four hexadecimal digits"),
        (r#""\u12é""#, "not four hexadecimal digits"),
        (r#""\ud800""#, "half of a surrogate pair"),
        (r#""\ud800\u0041""#, "half of a surrogate pair"),
        (r#""\ud800\ud800""#, "half of a surrogate pair"),
        (r#""\udc00\ud800""#, "half of a surrogate pair"),
        ("nul", "not a value"),
        ("True", "not a value"),
        ("NaN", "not a value"),
    ];
    for (text, wanted) in cases {
        match canonical(text) {
            Err(Error::Malformed { what, .. }) => assert_eq!(what, wanted, "{text:?}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert_eq!(parse(b"\"\xff\"", LIMITS), Err(Error::Malformed { what: "not UTF-8", at: 1 }));
    assert_eq!(parse(b"\"\xed\xa0\x80\"", LIMITS), Err(Error::Malformed { what: "not UTF-8", at: 1 }));
}

#[test]
fn length_and_depth_are_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(32).as_bytes(), LIMITS).is_ok());
    let error = Error::Malformed { what: "nested too deeply", at: 32 };
    assert_eq!(parse(nested(33).as_bytes(), LIMITS), Err(error));
    assert_eq!(parse("[".repeat(65_536).as_bytes(), LIMITS), Err(error));
    let padded = |bytes: usize| format!("{}{{}}", " ".repeat(bytes - 2));
    assert!(parse(padded(65_536).as_bytes(), LIMITS).is_ok());
    let error = Error::TooLong { got: 65_537, wanted: 65_536 };
    assert_eq!(parse(padded(65_537).as_bytes(), LIMITS), Err(error));
    assert!(parse(padded(65_537).as_bytes(), Limits { bytes: 65_537, depth: 1 }).is_ok());
    assert!(parse(b"{}", Limits { bytes: 2, depth: 0 }).is_err());
}

#[test]
fn pretty_form_reads_back() {
    let text = "{\n  \"a\": {},\n  \"b\": [\n    1,\n    []\n  ],\n  \"c\": \"\\n\"\n}\n";
    let value = parse(text.as_bytes(), LIMITS).expect("well-formed");
    assert_eq!(value.pretty(), text);
    assert_eq!(value.canonical(), r#"{"a":{},"b":[1,[]],"c":"\n"}"#);
}

#[test]
fn members_are_set_in_place_and_removed() {
    let mut value = Value::object([("a", Value::Integer(1)), ("b", Value::Null)]);
    let object = value.as_object_mut().expect("an object");
    object.set("a", Value::text("x"));
    object.set("c", Value::Bool(true));
    assert_eq!(object.remove("b"), Some(Value::Null));
    assert_eq!(object.remove("b"), None);
    assert_eq!(value.canonical(), r#"{"a":"x","c":true}"#);
}
