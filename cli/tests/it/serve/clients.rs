//! Three clients: this program's own, curl, and Python's standard library.

use super::{Place, Shown};
use crate::support::message;
use phalanx_testing::programs::is_there;
use std::process::Command;

/// A client.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program {
    Phalanx,
    Curl,
    Python,
}

/// Posts a body as it is and prints the status and the answer: arguments URL BODY CA CERTIFICATE KEY TOKEN-FILE, each
/// `-` if there is none.
const PYTHON: &str = r#"
import ssl, sys, urllib.error, urllib.request
url, body, ca, certificate, key, token = sys.argv[1:]
context = ssl.create_default_context(cafile=ca) if ca != "-" else None
if certificate != "-":
    context.load_cert_chain(certificate, key)
request = urllib.request.Request(url, body.encode(), {"Content-Type": "application/json"})
if token != "-":
    request.add_header("Authorization", "Bearer " + open(token).read())
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
try:
    answer = opener.open(request, timeout=120)
    print(answer.status, answer.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
except OSError as error:
    print(0, error)
"#;

/// An answer: the status of HTTP, 0 if there was none, and what else there is.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
}

impl Answer {
    /// The signature in it, in hexadecimal.
    pub(super) fn signature(&self) -> Option<String> {
        let body: serde_json::Value = serde_json::from_str(&self.body).ok()?;
        Some(body["signature"].as_str()?.trim_start_matches("0x").to_owned())
    }
}

/// The programs that this machine has; one that it lacks is a failure, unless that may be.
pub(super) fn programs() -> Vec<Program> {
    let mut programs = vec![Program::Phalanx];
    programs.extend(is_there("curl", &["--version"]).then_some(Program::Curl));
    programs.extend(is_there("python3", &["--version"]).then_some(Program::Python));
    programs
}

/// Has `program` ask for message `n` at `epoch` with key `number`.
pub(super) fn ask(
    program: Program,
    place: &Place,
    shown: &Shown,
    number: usize,
    epoch: u64,
    n: u8,
) -> Answer {
    let url = format!("{}/api/v1/xmss/sign/{}", place.url("https"), place.key(number));
    let body = format!(r#"{{"epoch":"{epoch}","message":"{}"}}"#, message(n));
    match program {
        Program::Phalanx => own(place, shown, number, epoch, n),
        Program::Curl => curl(place, shown, &url, &body),
        Program::Python => {
            let (certificate, key) = match &shown.certificate {
                Some((certificate, key)) => (certificate.as_os_str(), key.as_os_str()),
                None => ("-".as_ref(), "-".as_ref()),
            };
            let token = shown.token.as_ref().map_or("-".as_ref(), |path| path.as_os_str());
            let mut python = Command::new("python3");
            python.args(["-c", PYTHON, &url, &body]).arg(place.folder.path("ca.pem")).args([
                certificate,
                key,
                token,
            ]);
            let output = python.output().expect("it was there");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let (status, body) = text.split_once(' ').unwrap_or(("0", ""));
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Answer { status: status.parse().expect("a status"), body: body.to_owned() }
        }
    }
}

fn curl(place: &Place, shown: &Shown, url: &str, body: &str) -> Answer {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--noproxy", "*", "--max-time", "120", "--write-out", "\n%{http_code}"]);
    curl.arg("--cacert").arg(place.folder.path("ca.pem"));
    if let Some((certificate, key)) = &shown.certificate {
        curl.arg("--cert").arg(certificate).arg("--key").arg(key);
    }
    // Neither token nor body is an argument that others could read: as people are told to do it.
    if let Some(token) = &shown.token {
        let token = std::fs::read_to_string(token).expect("it was written");
        place.folder.write("header", format!("Authorization: Bearer {token}"));
        curl.arg("--header").arg(format!("@{}", place.folder.path("header").display()));
    }
    curl.args(["--header", "Content-Type: application/json", "--data", body, url]);
    let output = curl.output().expect("it was there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (body, status) = text.rsplit_once('\n').unwrap_or(("", "0"));
    Answer { status: status.parse().unwrap_or(0), body: body.to_owned() }
}

/// This program, whose exit code stands for the status: 403 for a refusal, 0 for none.
fn own(place: &Place, shown: &Shown, number: usize, epoch: u64, n: u8) -> Answer {
    let mut args = format!(
        "remote sign --url {} --ca ca.pem --scheme {} --public-key {} --epoch {epoch} --message-hex {} --out own.ssz --force --json",
        place.url("https"),
        place.rig.keys()[number].parameter_set(),
        place.key(number),
        message(n)
    );
    if let Some((certificate, key)) = &shown.certificate {
        args += &format!(" --client-cert {} --client-key {}", certificate.display(), key.display());
    }
    if let Some(token) = &shown.token {
        args += &format!(" --token-file {}", token.display());
    }
    let run = place.folder.run(&args);
    let status = match run.code {
        Some(0) => 200,
        Some(3) => 403,
        Some(4) => 0,
        code => panic!("{args}: {code:?}: {}", run.stderr),
    };
    Answer { status, body: run.stdout }
}
