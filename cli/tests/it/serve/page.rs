//! The status page in a browser, with what a signer answers. What it shows on a bad day, and tokens, are looked at in
//! `crates/custody/tests/status`.

use super::{EVERYTHING, OPEN, Place};
use phalanx_custody::remote::{Client, Endpoint, Options};
use phalanx_testing::programs::is_there;
use std::process::Command;

#[test]
fn the_page_shows_what_the_signer_answers() {
    if !is_there("chromium", &["--version"]) {
        return;
    }
    let place = Place::new();
    let signer = place.start(OPEN, EVERYTHING);
    let client = Client::new(Options::new(Endpoint::parse(&place.url("http")).expect("an address")));
    let client = client.expect("a client");
    client.sign(&place.rig.keys()[0], 9, &[1; 32]).expect("it signs");
    // The page shows keys as they were last looked at, which is done every second, and now.
    client.keys().expect("the service looks at its keys");
    let mut chromium = Command::new("chromium");
    chromium.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=3000",
        "--dump-dom",
    ]);
    chromium
        .arg(format!("--user-data-dir={}", place.folder.path("browser").display()))
        .arg(place.url("http"));
    let output = chromium.output().expect("it was there");
    let page = String::from_utf8_lossy(&output.stdout);
    // The script ran under the signer's policy, and understood the answer.
    for wanted in [
        "data-seen=",
        ">ready</span>",
        "<strong id=\"ledger\" class=\"good\">open</strong>",
        "10 of 256 epochs used",
        "last epoch 9",
    ] {
        assert!(page.contains(wanted), "{wanted}: {page}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(page.contains(&place.rig.keys()[1].key_id().to_string()), "{page}");
    assert!(signer.stop().expect("it runs").success());
}
