//! Which files there are, and what each is.

use super::report::FileReport;
use super::{ed25519, ligerito, rescue};
use phalanx::xmss::{Format, ParameterSet};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of vectors, of a kind that this version knows.
pub(super) struct VectorFile {
    /// As the user can find it.
    pub(super) label: String,
    /// What it is, by its name.
    pub(super) kind: Kind,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Where its neighbours are.
    pub(super) folder: Folder,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
    /// A file of `ed25519/`; its keys say what it holds.
    Ed25519,
    /// A file of `rescue/`; its keys say what it holds.
    Rescue,
    /// A JSON file of `ligerito/`, `ligerito-own/` or `ligerito-128/`; its keys say what it holds.
    Ligerito,
    /// `NAME.bin` of those folders, with its whole name.
    LigeritoProof(String),
}

impl Kind {
    /// What the name of a file, and that of its folder, say it is.
    fn of(name: &str, folder: &str) -> Option<Self> {
        match name {
            "poseidon1_koalabear.json" => return Some(Self::Constants(1)),
            "poseidon2_koalabear.json" => return Some(Self::Constants(2)),
            "poseidon1.primitives.json" => return Some(Self::Primitives(1)),
            "poseidon2.primitives.json" => return Some(Self::Primitives(2)),
            _ if ed25519::is_ours(name, folder) => return Some(Self::Ed25519),
            _ if rescue::is_ours(name, folder) => return Some(Self::Rescue),
            _ if ligerito::is_ours(name, folder) => return Some(Self::Ligerito),
            _ if name.ends_with(".bin") => return Some(Self::LigeritoProof(name.to_owned())),
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

/// The format that the last part of a secret key's file name means.
pub(super) fn format_of(extension: &str) -> Option<Format> {
    match extension {
        "ssz" => Some(Format::Ssz),
        "bincode1" => Some(Format::Bincode),
        "bincode2std" => Some(Format::BincodeStandard),
        _ => None,
    }
}

/// Where neighbouring files are found.
#[derive(Clone)]
pub(super) enum Folder {
    /// On disk.
    Disk(PathBuf),
    /// In the program.
    BuiltIn(&'static BTreeMap<&'static str, &'static [u8]>),
}

impl Folder {
    /// The file called `name`, if there is one.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        match self {
            Self::Disk(folder) => fs::read(folder.join(name)).ok(),
            Self::BuiltIn(files) => files.get(name).map(|bytes| bytes.to_vec()),
        }
    }

    /// The names of its files.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::Disk(folder) => {
                let entries = fs::read_dir(folder).into_iter().flatten().flatten();
                entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
            Self::BuiltIn(files) => files.keys().map(|&name| name.to_owned()).collect(),
        }
    }
}

/// Something that a walk found.
pub(super) enum Found {
    /// A file to run.
    Run(VectorFile),
    /// A file or folder that is reported as it is.
    Report(FileReport),
}

/// Everything under `path`, in order of names. Nothing is left out: what cannot be run is reported.
pub(super) fn walk(path: &Path, found: &mut Vec<Found>) {
    /// Deeper nesting than this is a loop of links.
    const MAX_DEPTH: usize = 32;
    walk_below(path, MAX_DEPTH, found);
}

/// Returns how many files to run there are.
fn walk_below(path: &Path, depth: usize, found: &mut Vec<Found>) -> usize {
    let label = path.display().to_string();
    let mut refuse = |reason: String| {
        found.push(Found::Report(FileReport::not_understood(label.clone(), reason)));
        0
    };
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return refuse(format!("cannot be read: {error}")),
    };
    if depth == 0 {
        return refuse("nested too deeply".to_owned());
    }
    if !metadata.is_dir() {
        return if metadata.is_file() {
            file(path, found)
        } else {
            refuse("neither file nor folder".to_owned())
        };
    }
    let entries = fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = match entries {
        Ok(entries) => entries,
        Err(error) => return refuse(format!("cannot be read: {error}")),
    };
    entries.sort();
    let before = found.len();
    let count = entries.iter().map(|entry| walk_below(entry, depth - 1, found)).sum();
    let documentation = |found: &Found| matches!(found, Found::Report(report) if report.failed == 0);
    if count == 0 && found[before..].iter().all(documentation) {
        found.push(Found::Report(FileReport::not_understood(label, "a folder with nothing to run")));
    }
    count
}

/// One file. Returns how many files to run it is.
fn file(path: &Path, found: &mut Vec<Found>) -> usize {
    let label = path.display().to_string();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    // Notices of licences travel with the data.
    let item = if name == "README.md" || name.starts_with("LICENSE") {
        Found::Report(FileReport::documentation(label))
    } else {
        match (fs::read(path), Kind::of(&name, &folder)) {
            (Err(error), _) => {
                Found::Report(FileReport::not_understood(label, format_args!("cannot be read: {error}")))
            }
            // Of proofs some that must be rejected are empty, which the file that names them says.
            (Ok(bytes), kind) if bytes.is_empty() && !matches!(kind, Some(Kind::LigeritoProof(_))) => {
                Found::Report(FileReport::not_understood(label, "an empty file"))
            }
            (Ok(_), None) => {
                Found::Report(FileReport::not_understood(label, "not recognised by this version"))
            }
            (Ok(bytes), Some(kind)) => {
                let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
                Found::Run(VectorFile { label, kind, bytes, folder: Folder::Disk(folder) })
            }
        }
    };
    let runs = usize::from(matches!(item, Found::Run(_)));
    found.push(item);
    runs
}

/// The built-in file `name` of `folder`.
pub(super) fn built_in(
    name: &'static str,
    folder: &str,
    files: &'static BTreeMap<&'static str, &'static [u8]>,
) -> Option<VectorFile> {
    let bytes = files.get(name)?.to_vec();
    let slash = if folder.is_empty() { "" } else { "/" };
    let label = format!("built-in/{folder}{slash}{name}");
    Some(VectorFile { label, kind: Kind::of(name, folder)?, bytes, folder: Folder::BuiltIn(files) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        let p2 = ParameterSet::POSEIDON2_L8_D64B8;
        assert_eq!(Kind::of("p2-top-l8-d64b8.e2e.json", "xmss"), Some(Kind::EndToEnd(p2)));
        let secret = Kind::SecretKey(p2, "p2-top-l8-d64b8.k7".to_owned(), Format::BincodeStandard);
        assert_eq!(Kind::of("p2-top-l8-d64b8.k7.sk.bincode2std", ""), Some(secret));
        for name in ["cctv.json", "batches-2.json", "sign_noise.json", "keys.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::Ed25519), "{name}");
        }
        assert_eq!(Kind::of("other.json", "ed25519"), Some(Kind::Ed25519));
        for name in ["constants.json", "field.json", "rp64_256.json", "rp64_256_jive.json", "rpo256-2.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::Rescue), "{name}");
        }
        assert_eq!(Kind::of("other.json", "rescue"), Some(Kind::Rescue));
        for name in ["basics.json", "proof_16.json", "eval_proofs.json", "fields.json", "transcript-2.json"] {
            assert_eq!(Kind::of(name, "anywhere"), Some(Kind::Ligerito), "{name}");
        }
        assert_eq!(Kind::of("other.json", "ligerito-own"), Some(Kind::Ligerito));
        assert_eq!(Kind::of("other.json", "ligerito-128"), Some(Kind::Ligerito));
        assert_eq!(Kind::of("p1_16.bin", ""), Some(Kind::LigeritoProof("p1_16.bin".to_owned())));
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
