//! `phalanx ligerito` under the suite up to the Johnson radius.

use super::{CONDITION, text, words};
use crate::support::Folder;

/// The suite up to the Johnson radius: where it is named only, and never without what it is conditional on.
#[test]
fn the_suite_up_to_the_johnson_radius() {
    const JOHNSON: &str = "ligerito-v2-johnson128";
    let folder = Folder::new();
    folder.write("f", words(7, 1 << 10));
    let said = |command: &str| {
        let stdout = folder.good(command).stdout;
        assert!(stdout.contains(CONDITION), "{command}: {stdout}");
        stdout
    };
    said(&format!("ligerito commit f --params {JOHNSON} --out c"));
    assert_eq!((folder.read("c").len(), &folder.read("c")[..2]), (58, &[4, 10][..]));
    let point = ["0123456789abcdef00000000000000010000000000000003"; 10].join(",");
    let opened = said(&format!("ligerito open f --params {JOHNSON} --commitment c --point {point} --out p"));
    let value = opened.lines().next().and_then(|line| line.strip_prefix("value ")).expect("a value");
    let verify = format!("ligerito verify --commitment c --point {point} --value {value} --proof p");
    let good = format!("{verify} --params {JOHNSON}");
    said(&good);
    let digits = hex::encode(folder.read("c"));
    folder.good(&good.replace("--commitment c", &format!("--commitment {digits}")));
    // Under another sample.
    let other = if digits.ends_with('0') { "1" } else { "0" };
    folder.bad(&good.replace("--commitment c", &format!("--commitment {}{other}", &digits[..115])), 1);
    let run = folder.bad(&format!("{verify} --params ligerito-v1-provable128"), 2);
    assert!(run.stderr.contains("it is one of --params ligerito-v2-johnson128"), "{}", run.stderr);
    assert!(folder.good("inspect c").stdout.contains("commitment of ligerito-v2-johnson128"));
    let reading = folder.good("inspect p --json").json()["files"][0]["readings"][0].clone();
    let by_length = text(&reading["details"]["by its length"]).to_owned();
    assert!(
        by_length.contains("balanced of 128 bits up to the Johnson radius, conditional, with 10"),
        "{by_length}"
    );
}
