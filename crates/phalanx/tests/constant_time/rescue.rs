//! No branch and no address depends on a secret input of Rescue.
//!
//! As in `main.rs`: secrets are marked undefined, and valgrind's memcheck reports every conditional jump and
//! every address that depends on them. `cargo xtask test` builds this with `--cfg phalanx_taint` and runs it under valgrind.

use super::memcheck::{errors, is_listening, taint, tainted, untaint};
use phalanx::Backend;
use phalanx::rescue::{Digest, Function};
use std::hint::black_box;

/// Words of every class: the rare branches of the fast forms are near.
const WORDS: [u64; 24] = {
    let mut words = [0xffff_ffff_0000_0000; 24];
    words[1] = 1 << 48;
    words[5] = u64::MAX;
    words[9] = 0;
    words
};

fn secret_words() -> [u64; 24] {
    let mut bytes = [0; 192];
    bytes.chunks_exact_mut(8).zip(WORDS).for_each(|(chunk, word)| chunk.copy_from_slice(&word.to_le_bytes()));
    taint(black_box(&mut bytes));
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// How many errors memcheck reports about `work`, whose result depends on what was tainted.
fn watched(work: impl FnOnce() -> Digest) -> usize {
    let before = errors();
    let mut bytes = black_box(work()).to_bytes();
    let errors = errors() - before;
    assert_eq!(tainted(&bytes), 32, "the digest depends on the secret");
    untaint(&mut bytes);
    errors
}

/// One test: memcheck's count of errors is the whole process's.
#[test]
fn secret_forms() {
    assert!(is_listening(), "this test means nothing without valgrind: run it with `cargo xtask test`");
    let words = secret_words();
    let bytes = words.map(u64::to_le_bytes);
    let bytes = bytes.as_flattened();
    let [left, right] = [0, 4].map(|at| Digest::from_elements(words[at..at + 4].try_into().expect("four")));
    for function in Function::ALL {
        for len in [1, 3, 8, 13, 24] {
            assert_eq!(watched(|| function.hash_elements_secret(&words[..len])), 0, "{function:?}, {len}");
            assert_eq!(
                watched(|| function.hash_padded_secret(&bytes[..8 * len - 1])),
                0,
                "{function:?}, {len}"
            );
        }
        assert_eq!(watched(|| function.hash_secret(&bytes[..56]).expect("a length that has an answer")), 0);
        assert_eq!(watched(|| function.merge_secret(&left, &right)), 0, "{function:?}");
        let permuted = || {
            let mut words = words;
            function.permute_secret(&mut words).expect("whole states");
            Digest::from_elements(words[..4].try_into().expect("four"))
        };
        assert_eq!(watched(permuted), 0, "{function:?}");
        // The check bites: the form for public data branches, on the portable backend at least.
        let public = || watched(|| function.hash_elements(&words));
        assert!(Backend::Portable.force(public).expect("always there") > 0, "{function:?}");
    }
}
