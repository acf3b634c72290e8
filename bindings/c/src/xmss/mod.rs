//! Generalized XMSS: parameter sets and formats by name and number; keys and verification below.

pub(crate) mod keys;
mod verify;

use crate::common::terminated;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_UNKNOWN_NAME, Status};
use core::ffi::c_char;
use phalanx::xmss::any::ParameterSet;
use phalanx::xmss::{Format, ParameterSet as KoalaBear, blake2s};

/// Length of an XMSS message in bytes; longer ones are hashed by the caller.
pub const PHALANX_XMSS_MESSAGE_BYTES: usize = 32;
/// Length of a seed in bytes.
pub const PHALANX_XMSS_SEED_BYTES: usize = 32;
/// The longest verifying key of any parameter set in SSZ and in bincode, in bytes.
pub const PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX: usize = 52;
/// The longest signature of any parameter set in SSZ, bincode and padded bincode, in bytes.
pub const PHALANX_XMSS_SIGNATURE_BYTES_MAX: usize = 3116;

/// The parameter sets by number. The names are those of files and of the command line: see
/// `phalanx_xmss_parameter_set_from_name`.
/// cbindgen:rename-all=None
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types, reason = "named as in C, like the sets")]
pub enum XmssParameterSet {
    /// `xmss-poseidon2-l8-d64b8`: leanSig of 2025-11, lifetime 2^8, 64 chains of base 8.
    PHALANX_XMSS_POSEIDON2_L8_D64B8 = 1,
    /// `xmss-poseidon2-l18-d64b8`: leanSig of 2025-11, lifetime 2^18, 64 chains of base 8.
    PHALANX_XMSS_POSEIDON2_L18_D64B8 = 2,
    /// `xmss-poseidon2-l32-d64b8`: leanSig of 2025-11, lifetime 2^32, 64 chains of base 8.
    PHALANX_XMSS_POSEIDON2_L32_D64B8 = 3,
    /// `xmss-poseidon2-l32-d48b10`: leanSig of 2025-11, lifetime 2^32, 48 chains of base 10.
    PHALANX_XMSS_POSEIDON2_L32_D48B10 = 4,
    /// `xmss-poseidon2-l32-d32b26`: leanSig of 2025-11, lifetime 2^32, 32 chains of base 26.
    PHALANX_XMSS_POSEIDON2_L32_D32B26 = 5,
    /// `xmss-poseidon1-l32-d46b8`: leanSig of 2026-04 (devnet 4), lifetime 2^32, 46 chains of base 8.
    PHALANX_XMSS_POSEIDON1_L32_D46B8 = 6,
    /// `xmss-poseidon1-l8-d4b8-test`: four chains, NO SECURITY: signatures under it can be forged. For tests.
    PHALANX_XMSS_POSEIDON1_L8_D4B8_TEST = 7,
    /// `xmss-blake2s-l32-d42b8`: over BLAKE2s, what lean clients have run since the middle of 2026, lifetime 2^32, 42 chains
    /// of base 8. Keys have 32 bytes and signatures 1208, the same in SSZ, bincode and bincode 2.
    PHALANX_XMSS_BLAKE2S_L32_D42B8 = 8,
    /// `xmss-blake2s-a-l32-d42b8`: its definition of August 2026, for verification only.
    PHALANX_XMSS_BLAKE2S_A_L32_D42B8 = 9,
}

/// The encodings of keys and signatures by number. Nothing in the bytes says which one they are in.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum XmssFormat {
    /// `ssz`: as the consensus layer speaks it.
    Ssz = 0,
    /// `bincode`: integers of fixed width, as bincode 1.3 writes them.
    Bincode = 1,
    /// `bincode2`: integers of variable width, as bincode 2 writes them by default.
    Bincode2 = 2,
    /// `json`: as serde writes leanSig's types.
    Json = 3,
    /// `bincode-padded`: `bincode`, with signatures of any set followed by zeros up to 3116 bytes.
    BincodePadded = 4,
}

/// Which set each number means.
const SETS: [(XmssParameterSet, ParameterSet); 9] = [
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON2_L8_D64B8,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON2_L8_D64B8),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON2_L18_D64B8,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON2_L18_D64B8),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON2_L32_D64B8,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON2_L32_D64B8),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON2_L32_D48B10,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON2_L32_D48B10),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON2_L32_D32B26,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON2_L32_D32B26),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON1_L32_D46B8,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON1_L32_D46B8),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_POSEIDON1_L8_D4B8_TEST,
        ParameterSet::KoalaBear(KoalaBear::POSEIDON1_L8_D4B8_TEST),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_BLAKE2S_L32_D42B8,
        ParameterSet::Blake2s(blake2s::ParameterSet::L32_D42B8),
    ),
    (
        XmssParameterSet::PHALANX_XMSS_BLAKE2S_A_L32_D42B8,
        ParameterSet::Blake2s(blake2s::ParameterSet::A_L32_D42B8),
    ),
];

/// Which format each number means.
const FORMATS: [(XmssFormat, Format); 5] = [
    (XmssFormat::Ssz, Format::Ssz),
    (XmssFormat::Bincode, Format::Bincode),
    (XmssFormat::Bincode2, Format::BincodeStandard),
    (XmssFormat::Json, Format::Json),
    (XmssFormat::BincodePadded, Format::BincodePadded),
];

/// The set of a number.
pub(crate) fn parameter_set(number: u32) -> Result<ParameterSet, Status> {
    let known = SETS.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, set)| *set).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// The format of a number.
pub(crate) fn format_of(number: u32) -> Result<Format, Status> {
    let known = FORMATS.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, format)| *format).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// Writes the number of the parameter set called `name`, such as `"xmss-poseidon2-l32-d64b8"`.
/// `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_parameter_set_from_name(set: *mut u32, name: *const c_char) -> Status {
    entry!({
        let wanted = ParameterSet::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        ffi::write(set, number_of(wanted)?)
    })
}

/// As `phalanx_xmss_parameter_set_from_name`, by the name in leanSig's vector files, such as `"p2-top-l32-d64b8"`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_parameter_set_from_profile(set: *mut u32, profile: *const c_char) -> Status {
    entry!({
        let wanted = KoalaBear::from_profile(ffi::text(profile)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        ffi::write(set, number_of(ParameterSet::KoalaBear(wanted))?)
    })
}

/// The number of a set.
pub(crate) fn number_of(wanted: ParameterSet) -> Result<u32, Status> {
    let known = SETS.iter().find(|(_, set)| *set == wanted);
    known.map(|(known, _)| *known as u32).ok_or(PHALANX_ERROR_UNKNOWN_NAME)
}

/// The name of a parameter set; null if the number names none.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_parameter_set_name(set: u32) -> *const c_char {
    parameter_set(set).map_or(core::ptr::null(), |set| terminated(set.name()))
}

/// Number of epochs that a key of the set could have: 2^8, 2^18 or 2^32. 0 if the number names no set.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_lifetime(set: u32) -> u64 {
    parameter_set(set).map_or(0, ParameterSet::lifetime)
}

/// Epochs of a bottom tree, the unit in which keys are computed and move on: activation intervals are rounded outwards to
/// it, and the prepared interval is two of them. 0 if the number names no set, and for the sets over BLAKE2s: their keys have
/// exactly the epochs asked for, and bottom trees whose size depends on how many those are.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_tree_epochs(set: u32) -> u64 {
    parameter_set(set).ok().and_then(ParameterSet::tree_leaves).unwrap_or(0)
}

/// Whether the set exists for tests only: signatures under it can be forged. False if the number names no set.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_is_insecure(set: u32) -> bool {
    parameter_set(set).is_ok_and(ParameterSet::is_insecure)
}

/// Whether keys of the set are made and sign. Else the set is for verification only; false also if the number names none.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_signs(set: u32) -> bool {
    parameter_set(set).is_ok_and(ParameterSet::signs)
}

/// Writes the number of the format called `name`: `"ssz"`, `"bincode"`, `"bincode2"`, `"json"`, `"bincode-padded"`.
/// `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_format_from_name(format: *mut u32, name: *const c_char) -> Status {
    entry!({
        let wanted = Format::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        let known = FORMATS.iter().find(|(_, format)| *format == wanted);
        ffi::write(format, known.map(|(known, _)| *known as u32).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?)
    })
}

/// The name of a format; null if the number names none.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_format_name(format: u32) -> *const c_char {
    format_of(format).map_or(core::ptr::null(), |format| terminated(format.name()))
}

/// A buffer of this many bytes holds every verifying key of `set` in `format`: exactly so many in the binary formats with
/// integers of fixed width, at most so many in the others. 0 if a number names nothing, or keys of the set have no such
/// format.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_verifying_key_size(set: u32, format: u32) -> usize {
    size(set, format, blake2s::VerifyingKey::LEN_BYTES, |set, format| in_words(format, 0, set.hash_len() + 5))
}

/// A buffer of this many bytes holds every signature of `set` in `format`: exactly so many in the binary formats with
/// integers of fixed width, at most so many in the others. 0 if a number names nothing, or signatures of the set have no
/// such format.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_xmss_signature_size(set: u32, format: u32) -> usize {
    size(set, format, blake2s::Signature::LEN_BYTES, |set, format| {
        let path_len = usize::try_from(set.lifetime().trailing_zeros()).unwrap_or(0);
        let words = set.randomness_len() + set.hash_len() * (path_len + set.chains());
        match format {
            // SSZ has three offsets, bincode two lengths of eight bytes.
            Format::Ssz => in_words(format, 12, words),
            Format::BincodePadded => PHALANX_XMSS_SIGNATURE_BYTES_MAX,
            _ => in_words(format, 16, words),
        }
    })
}

/// The size that two numbers ask for; of sets over BLAKE2s it is `over_blake2s` in all their formats.
fn size(
    set: u32,
    format: u32,
    over_blake2s: usize,
    over_koala_bear: impl FnOnce(KoalaBear, Format) -> usize,
) -> usize {
    match (parameter_set(set), format_of(format)) {
        (Ok(set), Ok(format)) if !set.has_format(format) => 0,
        (Ok(ParameterSet::KoalaBear(set)), Ok(format)) => over_koala_bear(set, format),
        (Ok(ParameterSet::Blake2s(_)), Ok(_)) => over_blake2s,
        _ => 0,
    }
}

/// The bytes of as many 32-bit words as `words` says, in a format.
fn in_words(format: Format, framing: usize, words: usize) -> usize {
    match format {
        // A word has at most five bytes.
        Format::BincodeStandard => framing + 5 * words,
        // Ten digits and a comma, or the brackets of a digest shared by its words; and the names of the fields.
        Format::Json => 256 + 16 * words,
        _ => framing + 4 * words,
    }
}
