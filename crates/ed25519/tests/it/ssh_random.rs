//! Random files of allowed signers, with the mistakes that people and attackers make: we accept where the real `ssh-keygen`
//! accepts, and nowhere else.

use crate::ssh::{is_absent, ssh_keygen};
use phalanx_ed25519::sshsig::{AllowedSigners, Hash, Prehash, Request, SshSignature};
use phalanx_ed25519::{Profile, SigningKey};
use phalanx_testing::Random;
use phalanx_testing::programs::{folder, run};
use std::fs;

/// How many files a run tries; `PHALANX_SSH_FILES` asks for more.
const FILES: u64 = 200;

/// Zones by their rules, which every C library knows without a database, with their standard time.
const ZONES: [(&str, i32); 4] = [
    ("UTC0", 0),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 3600),
    ("EST5EDT,M3.2.0,M11.1.0", -18_000),
    ("NPT-5:45", 20_700),
];

/// Lines made of pieces, most of them right.
struct Lines<'a> {
    random: Random,
    key: &'a str,
    other: &'a str,
}

impl Lines<'_> {
    fn of<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        choices[self.random.below(choices.len())]
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn file(&mut self) -> Vec<u8> {
        let mut file = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let mut line = self.line().into_bytes();
            if self.once_in(12) && !line.is_empty() {
                // A byte that does not belong there.
                let at = self.random.below(line.len());
                let wrong = *b"\"\\,!*?=# \t\r\0Zz\xff\x0b".get(self.random.below(16)).expect("16 bytes");
                if self.once_in(2) { line[at] = wrong } else { line.insert(at, wrong) }
            }
            file.append(&mut line);
            file.extend_from_slice(self.of(&["\n", "\n", "\n", "\r\n", "\n\n", ""]).as_bytes());
        }
        file
    }

    fn line(&mut self) -> String {
        if self.once_in(20) {
            return self.of(&["# words", "", "   ", " \t# words", "words"]).to_owned();
        }
        let begin = self.of(&["", "", "", " ", "\t", "\r"]);
        let principals = self.principals();
        let blank = self.of(&[" ", " ", " ", "\t", "  ", "\r", ""]);
        let options = if self.once_in(2) { self.options() } else { String::new() };
        let (key, other) = (self.key.to_owned(), self.other.to_owned());
        let (short, long) = (key[..key.len() - 4].to_owned(), format!("{key}="));
        let kind = key.replace("ssh-ed25519", "ssh-rsa");
        let upper = key.replace("ssh-ed25519", "SSH-ED25519");
        let wide = key.replace(' ', " \t ");
        let choices = [&key, &key, &key, &key, &key, &other, &short, &long, &kind, &upper, &wide];
        let key = self.of(&choices.map(|text| &text[..])).to_owned();
        let end = self.of(&["", "", " a comment", " ", "\tcomment \"", "x"]);
        format!("{begin}{principals}{blank}{options}{key}{end}")
    }

    fn principals(&mut self) -> String {
        let mut list = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let pattern = self.of(&[
                "me@here",
                "me@here",
                "*@here",
                "m?@here",
                "*",
                "you@here",
                "!me@here",
                "!you@here",
                "ME@HERE",
                "me@*",
                "",
                "!",
                "me\\@here",
            ]);
            list.push(pattern.to_owned());
        }
        if self.once_in(40) {
            list.push("a".repeat(1021 + self.random.below(4)));
        }
        let list = list.join(",");
        match self.random.below(12) {
            0 | 1 => format!("\"{list}\""),
            2 => format!("\"{list}"),
            3 => list.replacen("here", "he\"re\"", 1),
            4 => list.replacen('@', "\"@", 1),
            _ => list,
        }
    }

    fn options(&mut self) -> String {
        let mut list = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let option = match self.random.below(10) {
                0 => self
                    .of(&["cert-authority", "Cert-Authority", "no-cert-authority", "cert-authorityx"])
                    .to_owned(),
                1..=3 => {
                    let name = self.of(&["namespaces", "NameSpaces", "namespace"]);
                    let value = self.of(&[
                        "\"file\"",
                        "\"git,f*\"",
                        "\"git\"",
                        "file",
                        "\"\"",
                        "\"fi\\\"le\"",
                        "\"file",
                        "\"*,!file\"",
                        "\"f i,file\"",
                    ]);
                    format!("{name}={value}")
                }
                4..=8 => {
                    let name = self.of(&["valid-after", "valid-before", "Valid-Before", "valid-After"]);
                    format!("{name}=\"{}\"", self.time())
                }
                _ => {
                    self.of(&["", "unknown", "valid-after", "namespaces=", "namespaces =\"file\""]).to_owned()
                }
            };
            list.push(option);
        }
        let separator = self.of(&[",", ",", ",", ",", ",,", ", "]);
        list.join(separator) + self.of(&[" ", " ", " ", "\t", "  ", ", ", ""])
    }

    /// Around noon of the first of July 2024, UTC, most of the time.
    fn time(&mut self) -> String {
        let date = self.of(&[
            "20240701", "20240701", "20240701", "20240630", "20240702", "20240631", "19700101", "19691231",
            "20240230", "2024 7 1", "20240732", "20241301", "99991231", "00000101", "2024070", "20240700",
            "2024-7-1", "+0240701",
        ]);
        let hour = self.of(&[
            "", "", "1200", "1159", "1201", "0700", "0800", "1300", "1400", "1745", "120000", "120001",
            "115960", "115961", "115962", "2400", "1260", " 8 0", "12 0 0", "12",
        ]);
        let zone = self.of(&["", "", "Z", "Z", "z", "UTC", "utc", "ZZ", "GMT", " Z", "UT"]);
        format!("{date}{hour}{zone}")
    }
}

#[test]
fn random_files_of_allowed_signers() {
    if is_absent() {
        return;
    }
    let folder = folder("ssh-random");
    let signer = SigningKey::from_seed(&[1; 32]);
    let key = signer.verifying_key().to_openssh("").expect("no comment");
    let other = SigningKey::from_seed(&[2; 32]).verifying_key().to_openssh("").expect("no comment");
    let message = folder.join("message");
    fs::write(&message, "a message").expect("a file in our folder");
    let signed = SshSignature::sign(&signer, "file", Hash::Sha512, b"a message").expect("a namespace");
    fs::write(folder.join("good.sig"), signed.to_armored()).expect("a file in our folder");

    let files = std::env::var("PHALANX_SSH_FILES").map_or(FILES, |text| text.parse().expect("a number"));
    let (mut accepted, mut wrong) = (0, Vec::new());
    for seed in 0..files {
        let mut lines = Lines { random: Random::from_seed(seed), key: &key, other: &other };
        let file = lines.file();
        let (zone, offset_s) = ZONES[lines.random.below(4)];
        fs::write(folder.join("allowed"), &file).expect("a file in our folder");
        let arguments = ["-Y", "verify", "-f", "allowed", "-I", "me@here", "-n", "file", "-s", "good.sig"];
        let mut command = ssh_keygen(&folder, &arguments);
        command.args(["-O", "verify-time=20240701120000Z"]).env("TZ", zone);
        let theirs = run(&mut command, &message).status.success();
        let request = Request {
            identity: "me@here",
            namespace: "file",
            // Noon of 2024-07-01.
            time_s: 1_719_835_200,
            utc_offset_at: &|_| offset_s,
            profile: Profile::Strict,
        };
        let mut prehash = Prehash::new(Hash::Sha512);
        prehash.update(b"a message");
        let ours = AllowedSigners::parse(&file).verify(&request, &signed, prehash);
        accepted += u64::from(theirs);
        if ours.is_ok() != theirs {
            let file = String::from_utf8_lossy(&file).into_owned();
            wrong.push(format!("seed {seed}, TZ={zone}: ssh-keygen {theirs}, we {ours:?}\n{file:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {files} differ:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(
        accepted > files / 10 && accepted < files / 2,
        "{accepted} of {files} accepted: that shows little"
    );
    fs::remove_dir_all(&folder).expect("our folder");
}
