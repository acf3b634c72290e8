//! Files of `vectors/xmss`: the name of each says what it holds.

mod constants;
mod e2e;
mod intermediate;
mod key_files;
mod primitives;

use crate::files::VectorFile;
use crate::progress::Watch;
use crate::report::Recorder;
use e2e::vector::format_of;
use phalanx::Threads;
use phalanx::xmss::{Format, ParameterSet};

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `constants/poseidon1_koalabear.json`, `constants/poseidon2_koalabear.json`; the number.
    Constants(u8),
    /// `poseidon1.primitives.json`, `poseidon2.primitives.json`; the number.
    Primitives(u8),
    /// `PROFILE.intermediate.json`.
    Intermediate(ParameterSet),
    /// `PROFILE.e2e.json`.
    EndToEnd(ParameterSet),
    /// `PROFILE.KEY.sk.FORMAT`, with PROFILE.KEY.
    SecretKey(ParameterSet, String, Format),
    /// `PROFILE.KEY.pk.ssz`, with PROFILE.KEY.
    PublicKey(ParameterSet, String),
}

impl Kind {
    /// What the name of a file says it is.
    pub(crate) fn of(name: &str) -> Option<Self> {
        match name {
            "poseidon1_koalabear.json" => return Some(Self::Constants(1)),
            "poseidon2_koalabear.json" => return Some(Self::Constants(2)),
            "poseidon1.primitives.json" => return Some(Self::Primitives(1)),
            "poseidon2.primitives.json" => return Some(Self::Primitives(2)),
            _ => {}
        }
        let parts: Vec<&str> = name.split('.').collect();
        let (profile, rest) = parts.split_first()?;
        let set = ParameterSet::from_profile(profile)?;
        match *rest {
            ["intermediate", "json"] => Some(Self::Intermediate(set)),
            ["e2e", "json"] => Some(Self::EndToEnd(set)),
            [key, "sk", format] => Some(Self::SecretKey(set, format!("{profile}.{key}"), format_of(format)?)),
            [key, "pk", "ssz"] => Some(Self::PublicKey(set, format!("{profile}.{key}"))),
            _ => None,
        }
    }
}

/// Runs a file.
pub(crate) fn run(
    recorder: &mut Recorder<'_>,
    kind: Kind,
    file: &VectorFile,
    threads: &Threads,
    watch: &Watch,
) {
    match kind {
        Kind::SecretKey(set, key, format) => key_files::run_secret(recorder, set, &key, format, file),
        Kind::PublicKey(set, key) => key_files::run_public(recorder, set, &key, file),
        kind => {
            let Some(value) = recorder.json(&file.bytes) else { return };
            match kind {
                Kind::Constants(version) => constants::run(recorder, version, value),
                Kind::Primitives(version) => primitives::run(recorder, version, value),
                Kind::Intermediate(set) => intermediate::run(recorder, set, value),
                Kind::EndToEnd(set) => e2e::run(recorder, set, file, value, threads, watch),
                Kind::SecretKey(..) | Kind::PublicKey(..) => unreachable!("matched above"),
            }
        }
    }
}
