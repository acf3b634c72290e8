//! A command to try next, for what was read.

use std::borrow::Cow;

/// A command of `phalanx` to try next, for a file called `file` that was read as `kind`; words in capitals are for the
/// user to fill in. The name is written so that a shell takes it for one word, whatever it is.
///
/// There is one for every kind that is told, here, by the command line, and by the page.
#[must_use]
pub fn next_command(kind: &str, scheme: Option<&str>, format: Option<&str>, file: &str) -> Option<String> {
    let shown = &quoted(file);
    of_kept(kind, scheme, file, shown).or_else(|| of_value(kind, scheme, format, shown))
}

/// For files that are kept around keys, and lists of keys.
fn of_kept(kind: &str, scheme: Option<&str>, file: &str, shown: &str) -> Option<String> {
    let beside = |suffix: &str, unnamed: &str| match file.strip_suffix(suffix) {
        Some(name) if !name.is_empty() => quoted(name).into_owned(),
        _ => unnamed.to_owned(),
    };
    Some(match kind {
        "keystore" => format!("phalanx key inspect --open {shown}"),
        // Its secret comes in through the program that reads it.
        "keystore of another version" => {
            format!("phalanx key import --eip2335 {shown} --scheme SCHEME --i-accept-epoch EPOCH --out KEYSTORE")
        }
        "keystore, refused" => {
            "phalanx key import --secret-key KEY --scheme SCHEME --i-accept-epoch EPOCH --out KEYSTORE (KEY: what the \
             program that wrote the keystore takes out of it)"
                .to_owned()
        }
        "trees of a keystore" => format!("phalanx key inspect --open {}", beside(".trees", "KEYSTORE")),
        "ledger" => format!("phalanx ledger status --ledger {shown}"),
        "store of a ledger" | "place of a ledger in a database" => {
            format!("phalanx ledger status --ledger {}", quoted(folder_of(file)))
        }
        "keeper of a key" => "phalanx ledger status --ledger DIR (DIR: of the key, KEY.ledger)".to_owned(),
        "side log of a ledger" => format!("phalanx ledger check {shown}"),
        // One that a ledger has taken over names no set.
        "epoch record" => match scheme {
            Some(set) => {
                let key = beside(".epochs", "KEY");
                format!("phalanx ledger adopt-records --secret-key {key} --scheme {set}")
            }
            None => {
                let key = beside(".epochs", "KEY");
                format!("phalanx ledger status --ledger {key}.ledger")
            }
        },
        "key.json" => "phalanx inspect FILE... (those it lists)".to_owned(),
        "keygen.checkpoint" => "phalanx xmss keygen ARGUMENTS (as before: it resumes)".to_owned(),
        "validator keys manifest" | "annotated validators" | "genesis configuration" | "document" => {
            format!("phalanx convert --to ssz --at PATH {shown} OUT (a PATH: validators[0].pubkey_hex)")
        }
        _ => return None,
    })
}

/// For keys, signatures, commitments, proofs, aggregates and statements.
fn of_value(kind: &str, scheme: Option<&str>, format: Option<&str>, shown: &str) -> Option<String> {
    let is_ed25519 = scheme == Some("ed25519");
    let set = scheme.unwrap_or("SCHEME");
    let is_blake2s = set.starts_with("xmss-blake2s-");
    Some(match (kind, format) {
        // Of a layout that is not read here: what belongs to it may be of one that is.
        ("signature", None) if scheme.is_none() => {
            "phalanx inspect KEY (the public key that it is of)".to_owned()
        }
        ("secret key", None) if scheme.is_none() => {
            "phalanx keygen DIR -t xmss --scheme SCHEME --epochs N (a new key in its place)".to_owned()
        }
        // Secrets are taken out of texts by their owners.
        ("secret key", Some("raw within base64" | "keypair within base64")) => {
            format!("(umask 077; base64 -d {shown} > KEY)")
        }
        // One under a password, which has no form, is asked for it.
        ("secret key", _) if is_ed25519 => format!("phalanx sign -k {shown} FILE"),
        ("secret key", Some(_)) => format!("phalanx sign -k {shown} FILE --epoch next --scheme {set}"),
        ("public key", Some(_)) if is_ed25519 => format!("phalanx verify -k {shown} FILE SIGNATURE"),
        ("signature", Some(_)) if is_ed25519 => format!("phalanx verify -k KEY FILE {shown}"),
        ("signature", Some("ssz")) => {
            format!("phalanx verify -k KEY FILE {shown} --epoch EPOCH --scheme {set}")
        }
        ("public key", Some(form))
            if form == "ssz" || is_blake2s && matches!(form, "ssz within hex" | "ssz within base64") =>
        {
            format!("phalanx verify -k {shown} FILE SIGNATURE --epoch EPOCH --scheme {set}")
        }
        // Whatever has the length of these is one: that it is has to be said.
        ("public key" | "signature", Some(_)) if is_blake2s => {
            format!("phalanx convert --to ssz --scheme {set} {shown} OUT")
        }
        ("public key" | "signature", Some(_)) => format!("phalanx convert --to ssz {shown} OUT"),
        ("aggregate", _) => {
            let profile = scheme.unwrap_or("PROFILE");
            format!("phalanx xmss verify-aggregate SIGNERS.jsonl --aggregate {shown} --profile {profile}")
        }
        ("statement of an aggregate", _) => format!(
            "phalanx xmss verify-aggregate --statement {shown} --aggregate AGGREGATE --profile PROFILE"
        ),
        ("commitment", _) => format!("phalanx ligerito verify --commitment {shown} --proof PROOF"),
        ("proof" | "possible proof", _) => format!("phalanx ligerito verify --proof {shown}"),
        _ => return None,
    })
}

/// The folder that a file is in.
fn folder_of(file: &str) -> &str {
    let is_between = |c: char| c == '/' || cfg!(windows) && c == '\\';
    match file.rsplit_once(is_between) {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    }
}

/// A file's name as one word of a shell: files come from elsewhere, and their names may hold anything.
fn quoted(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || b"/._-+,:@%=".contains(&byte) || cfg!(windows) && byte == b'\\'
    };
    // What begins with a dash is an option wherever it stands; a single one is the standard input.
    if name.starts_with('-') && name.len() > 1 {
        return Cow::Owned(quoted(&format!("./{name}")).into_owned());
    }
    if !name.is_empty() && name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("'{}'", name.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word_each() {
        for (name, wanted) in [
            ("keys/a.ssz", "keys/a.ssz"),
            ("-", "-"),
            ("-k", "./-k"),
            ("-a b", "'./-a b'"),
            ("my key", "'my key'"),
            ("x;rm -r y", "'x;rm -r y'"),
            ("it's", "'it'\\''s'"),
            ("$(id)", "'$(id)'"),
            ("a\nb", "'a\nb'"),
            ("", "''"),
            ("schlüssel", "'schlüssel'"),
        ] {
            assert_eq!(quoted(name), wanted);
        }
    }

    #[test]
    fn files_around_keys_name_what_they_are_of() {
        let next = |kind, scheme, file| next_command(kind, scheme, None, file).expect("every kind has one");
        for (kind, scheme, file, wanted) in [
            (
                "epoch record",
                Some("S"),
                "keys/my key.epochs",
                "phalanx ledger adopt-records --secret-key 'keys/my key' --scheme S",
            ),
            ("epoch record", None, "k.ssz.epochs", "phalanx ledger status --ledger k.ssz.ledger"),
            ("epoch record", None, "record", "phalanx ledger status --ledger KEY.ledger"),
            (
                "store of a ledger",
                None,
                "a/k.ledger/ledger.sqlite3",
                "phalanx ledger status --ledger a/k.ledger",
            ),
            ("store of a ledger", None, "ledger.sqlite3", "phalanx ledger status --ledger ."),
            ("trees of a keystore", None, "a.json.trees", "phalanx key inspect --open a.json"),
        ] {
            assert_eq!(next(kind, scheme, file), wanted);
        }
    }
}
