//! What a file is, by its name and that of its folder, and who runs it.

use crate::files::VectorFile;
use crate::progress::Watch;
use crate::report::{FileReport, Recorder};
use crate::{aggregate, custody, ed25519, ligerito, rescue, xmss, xmss_blake2s};
use phalanx::{Backend, Threads};

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Of XMSS; the name says which.
    Xmss(xmss::Kind),
    /// A file of `xmss-blake2s/`; its keys say what it holds.
    XmssBlake2s,
    /// Of custody; the name says which.
    Custody(custody::Kind),
    /// A JSON file of `aggregate/`.
    Aggregate,
    /// A file of `ed25519/`; its keys say what it holds.
    Ed25519,
    /// A file of `rescue/`; its keys say what it holds.
    Rescue,
    /// A JSON file of `ligerito/`, `ligerito-own/`, `ligerito-128/` or `ligerito-v2/`; its keys say what it holds.
    Ligerito,
    /// `NAME.bin` of those folders, and of `aggregate/`.
    LigeritoProof,
}

impl Kind {
    /// What the name of a file, and that of its folder, say it is.
    fn of(name: &str, folder: &str) -> Option<Self> {
        // The names of XMSS are whole ones. The others begin as known ones do.
        if let Some(kind) = xmss::Kind::of(name) {
            return Some(Self::Xmss(kind));
        }
        if xmss_blake2s::is_ours(name, folder) {
            return Some(Self::XmssBlake2s);
        }
        if aggregate::is_ours(name, folder) {
            return Some(Self::Aggregate);
        }
        if let Some(kind) = custody::Kind::of(name, folder) {
            return Some(Self::Custody(kind));
        }
        if ed25519::is_ours(name, folder) {
            Some(Self::Ed25519)
        } else if rescue::is_ours(name, folder) {
            Some(Self::Rescue)
        } else if ligerito::is_ours(name, folder) {
            Some(Self::Ligerito)
        } else {
            name.ends_with(".bin").then_some(Self::LigeritoProof)
        }
    }
}

/// Runs a file.
pub(crate) fn run(file: VectorFile, backends: &[Backend], threads: &Threads, watch: &Watch) -> FileReport {
    let kind = Kind::of(&file.name, &file.folder_name());
    let Some(kind) = kind.or_else(|| custody::Kind::of_named(&file).map(Kind::Custody)) else {
        let reason = if file.bytes.is_empty() { "an empty file" } else { "not recognised by this version" };
        return FileReport::not_understood(file.label, reason);
    };
    // Of proofs, and of the files of custody, some that must be rejected are empty, which the file that names them says.
    let may_be_empty = matches!(kind, Kind::LigeritoProof | Kind::Custody(_));
    if file.bytes.is_empty() && !may_be_empty {
        return FileReport::not_understood(file.label, "an empty file");
    }
    let mut recorder = Recorder::new(backends);
    match kind {
        Kind::Xmss(kind) => xmss::run(&mut recorder, kind, &file, threads, watch),
        Kind::Custody(kind) => custody::run(&mut recorder, kind, &file, threads),
        Kind::LigeritoProof => ligerito::run_proof(&mut recorder, &file),
        Kind::Aggregate | Kind::Ed25519 | Kind::Rescue | Kind::Ligerito | Kind::XmssBlake2s => {
            if let Some(value) = recorder.json(&file.bytes) {
                match kind {
                    Kind::Aggregate => aggregate::run(&mut recorder, &file, value),
                    Kind::Ed25519 => ed25519::run(&mut recorder, value, threads),
                    Kind::XmssBlake2s => xmss_blake2s::run(&mut recorder, value, threads),
                    Kind::Rescue => rescue::run(&mut recorder, &file.name, value, threads),
                    _ => ligerito::run(&mut recorder, &file, value, threads),
                }
            }
        }
    }
    recorder.finish(file.label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx::xmss::{Format, ParameterSet};

    #[test]
    fn files_are_known_by_their_names() {
        let p2 = ParameterSet::POSEIDON2_L8_D64B8;
        let end_to_end = Kind::Xmss(xmss::Kind::EndToEnd(p2));
        assert_eq!(Kind::of("p2-top-l8-d64b8.e2e.json", "xmss"), Some(end_to_end));
        let secret = xmss::Kind::SecretKey(p2, "p2-top-l8-d64b8.k7".to_owned(), Format::BincodeStandard);
        assert_eq!(Kind::of("p2-top-l8-d64b8.k7.sk.bincode2std", ""), Some(Kind::Xmss(secret)));
        for name in ["profile-a.json", "profile-b-2.json", "upstream-b.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::XmssBlake2s), "{name}");
        }
        for name in ["cctv.json", "batches-2.json", "sign_noise.json", "keys.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::Ed25519), "{name}");
        }
        assert_eq!(Kind::of("other.json", "ed25519"), Some(Kind::Ed25519));
        for name in ["constants.json", "field.json", "rp64_256.json", "rp64_256_jive.json", "rpo256-2.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::Rescue), "{name}");
        }
        assert_eq!(Kind::of("other.json", "rescue"), Some(Kind::Rescue));
        assert_eq!(Kind::of("cases.json", "aggregate"), Some(Kind::Aggregate));
        for name in ["basics.json", "proof_16.json", "eval_proofs.json", "fields.json", "transcript-2.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::Ligerito), "{name}");
        }
        assert_eq!(Kind::of("other.json", "ligerito-own"), Some(Kind::Ligerito));
        assert_eq!(Kind::of("other.json", "ligerito-128"), Some(Kind::Ligerito));
        assert_eq!(Kind::of("other.json", "ligerito-v2"), Some(Kind::Ligerito));
        assert_eq!(Kind::of("p1_16.bin", ""), Some(Kind::LigeritoProof));
        for name in
            ["logs.json", "startup.json", "good.log", "record-2.epochs", "eip3076-x.json", "own-x.json"]
        {
            assert!(matches!(Kind::of(name, "ledger"), Some(Kind::Custody(_))), "{name}");
        }
        for name in ["expected.json", "json-cut.json"] {
            assert!(matches!(Kind::of(name, "keystore"), Some(Kind::Custody(_))), "{name}");
        }
        for name in [
            "",
            "x.json",
            "p2-top-l9-d64b8.e2e.json",
            "p2-top-l8-d64b8.k7.sk.pem",
            "wycheproof.txt",
            "batches",
        ] {
            assert_eq!(Kind::of(name, "xmss"), None, "{name}");
        }
    }
}
