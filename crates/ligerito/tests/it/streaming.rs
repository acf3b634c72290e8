//! Ligerito, polynomials that are read in pieces: the commitments of those that are in memory, and what can go wrong.
use phalanx_ligerito::{
    self as ligerito, Error, Inline, Pool, Preset, StreamError, Threads, johnson128, provable128,
};
use phalanx_testing::on_every_backend;

/// A word of a polynomial that nobody keeps.
fn word(i: u64) -> u32 {
    let mixed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let [a, b, c, d, ..] = (mixed ^ mixed >> 29).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// A source that checks that it is read in order, and counts how often from the beginning.
fn source<'a>(words: &'a [u32], walks: &'a mut u32) -> impl FnMut(u64, &mut [u32]) -> Result<(), ()> + 'a {
    let mut next = 0;
    move |first, piece| {
        if first == 0 {
            assert!(next == 0 || next == words.len(), "to the end");
            (next, *walks) = (0, *walks + 1);
        }
        assert_eq!(first, next as u64, "without gaps");
        piece.copy_from_slice(&words[next..next + piece.len()]);
        next += piece.len();
        Ok(())
    }
}

/// What a shape may hold for each number of blocks: bytes(t) of docs/ligerito.md, section 18.
fn bytes(level: &ligerito::Level, log2_blocks: u8) -> u64 {
    let block = 4 << (level.log2_message + level.log2_columns - log2_blocks);
    2 * block + block / 16 + (4 << (level.log2_message + level.log2_inverse_rate)) + (24 << 20)
}

#[test]
fn streams_have_the_commitments_of_memory() {
    for variables in [10, 11, 12, 15, 17] {
        let words: Vec<u32> = (0..1 << variables).map(word).collect();
        macro_rules! check {
            ($suite:ident, $preset:expr) => {{
                let wanted = $suite::commit($preset, &words).expect("registered").0;
                let shape = $preset.shape(variables).expect("registered");
                let level = shape.levels()[0];
                let most = level.log2_message.saturating_sub(10);
                assert_eq!(shape.streaming_memory_bytes(), (bytes(&level, 0), bytes(&level, most)));
                on_every_backend(|backend| {
                    for log2_blocks in 0..=most {
                        for pool in [&Inline as &dyn Pool, &Threads::new(3)] {
                            let mut walks = 0;
                            let memory = bytes(&level, log2_blocks);
                            let got = $suite::commit_streamed_on(
                                pool,
                                $preset,
                                variables,
                                memory,
                                source(&words, &mut walks),
                                &|_, _| (),
                            );
                            assert_eq!(got, Ok(wanted), "{} {variables} {log2_blocks}", backend.name());
                            let sample = u32::from(wanted.to_bytes().len() > 34);
                            let blocks = if log2_blocks == 0 {
                                1
                            } else {
                                1 << (level.log2_inverse_rate + log2_blocks)
                            };
                            assert_eq!(walks, blocks + sample);
                        }
                    }
                });
                let least = bytes(&level, most);
                let less = $suite::commit_streamed($preset, variables, least - 1, source(&words, &mut 0));
                let error = Error::StreamingMemory { got: least - 1, wanted: least };
                assert_eq!(less, Err(StreamError::Refused(error)));
            }};
        }
        check!(ligerito, Preset::Balanced);
        check!(ligerito, Preset::Compact);
        check!(provable128, provable128::Preset::Balanced);
        check!(johnson128, johnson128::Preset::Balanced);
    }
}

#[test]
fn progress_counts_all_rows() {
    let most = std::sync::atomic::AtomicU64::new(0);
    let progress = |done, total| {
        assert_eq!(total, 1 << 16);
        most.fetch_max(done, std::sync::atomic::Ordering::Relaxed);
    };
    let read = |first, words: &mut [u32]| {
        words.iter_mut().zip(first..).for_each(|(out, i)| *out = word(i));
        Ok::<(), ()>(())
    };
    let shape = Preset::Balanced.shape(20).expect("registered");
    let memory = shape.streaming_memory_bytes().1;
    ligerito::commit_streamed_on(&Inline, Preset::Balanced, 20, memory, read, &progress).expect("it is read");
    assert_eq!(most.into_inner(), 1 << 16);
}

#[test]
fn what_reading_fails_with_comes_back() {
    #[derive(Debug, PartialEq)]
    struct Broken(u64);
    // The last piece of each walk but the first one's, and the walk for the sample.
    for fails_at_walk in 1..=2 {
        let mut walk = 0;
        let read = |first, words: &mut [u32]| {
            walk += u32::from(first == 0);
            words.fill(7);
            if walk == fails_at_walk { Err(Broken(first)) } else { Ok(()) }
        };
        let got = johnson128::commit_streamed(johnson128::Preset::Balanced, 10, u64::MAX, read);
        assert_eq!(got, Err(StreamError::Read(Broken(0))));
    }
    for variables in [9, 31, 64, 255] {
        let got = ligerito::commit_streamed(Preset::Balanced, variables, u64::MAX, |_, _| Err(()));
        assert!(matches!(got, Err(StreamError::Refused(Error::PolynomialLength { .. }))), "{variables}");
    }
    let error = Error::StreamingMemory { got: 5, wanted: 6 };
    let shown = StreamError::<std::io::Error>::Refused(error).to_string();
    assert_eq!(shown, "committing in pieces takes 6 bytes of memory, got 5");
    assert_eq!(StreamError::Read(std::fmt::Error).to_string(), std::fmt::Error.to_string());
}
