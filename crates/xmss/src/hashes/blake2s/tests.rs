//! Every backend against the reference.

use super::{Lanes, Meanwhile, PARTS, Slices, half_digest, with_lanes};
use alloc::vec::Vec;
use phalanx_reference::xmss_blake2s::blake2s;
use phalanx_testing::isas;

/// Bytes that differ everywhere, and have all bits set in places.
fn bytes(seed: usize, len: usize) -> Vec<u8> {
    let byte = |i: usize| if i % 17 == 3 { 0xff } else { (((seed * 131 + i) * 0x9e5) >> 3) & 0xff };
    (0..len).map(|i| u8::try_from(byte(i)).expect("masked")).collect()
}

/// The digests of whole words of the same length, one a lane, with the last block by `half` where it fits.
fn digests<const N: usize>(lanes: impl Lanes<N>, messages: &[Vec<u8>], half: bool) -> Vec<Vec<u8>> {
    let len = messages[0].len();
    let blocks = len.div_ceil(64).max(1);
    let mut state = Slices::ZERO;
    for block in 0..blocks {
        let mut slices = Slices::ZERO;
        for (lane, message) in messages.iter().enumerate() {
            for (word, bytes) in message[64 * block..len.min(64 * (block + 1))].chunks(4).enumerate() {
                slices[word][lane] = u32::from_le_bytes(bytes.try_into().expect("whole words"));
            }
        }
        let count = u32::try_from(len.min(64 * (block + 1))).expect("short");
        let last = block + 1 == blocks;
        if half && last && len - 64 * block <= 32 {
            lanes.compress_half(block == 0, &mut state, &slices, count);
        } else {
            lanes.compress(block == 0, &mut state, &slices, count, last);
        }
    }
    let digest = |lane: usize| state.iter().flat_map(|word| word[lane].to_le_bytes()).collect();
    (0..messages.len()).map(digest).collect()
}

#[test]
fn digests_in_every_lane() {
    fn run<const N: usize>(lanes: impl Lanes<N>) {
        for len in (0..=208).step_by(4) {
            for count in [1, N / 2 + 1, N] {
                let messages: Vec<_> = (0..count).map(|i| bytes(i, len)).collect();
                let wanted: Vec<_> = messages.iter().map(|message| blake2s(&[], message).to_vec()).collect();
                assert_eq!(digests(lanes, &messages, false), wanted, "{len} bytes, {count} of {N}");
                assert_eq!(digests(lanes, &messages, true), wanted, "{len} bytes, {count} of {N}");
            }
        }
    }
    for isa in isas() {
        with_lanes!(isa, lanes => run(lanes));
    }
    run(phalanx_core::lanes::Scalar);
}

/// The 48 bytes of messages whose word 2 is zero.
fn step_messages<const N: usize>() -> Vec<Vec<u8>> {
    let mut messages: Vec<_> = (0..N).map(|lane| bytes(lane, 48)).collect();
    messages.iter_mut().for_each(|message| message[8..12].fill(0));
    messages
}

fn sliced<const N: usize>(messages: &[Vec<u8>]) -> Slices<16, N> {
    let mut slices = Slices::ZERO;
    for (lane, message) in messages.iter().enumerate() {
        for (word, bytes) in message.chunks(4).enumerate() {
            slices[word][lane] = u32::from_le_bytes(bytes.try_into().expect("whole words"));
        }
    }
    slices
}

/// What a step makes of a message.
fn take_step(message: &mut [u8]) {
    let digest = blake2s(&[], message);
    message[32..48].copy_from_slice(&digest[..16]);
    let position = u32::from_le_bytes(message[4..8].try_into().expect("a word"));
    message[4..8].copy_from_slice(&position.wrapping_add(1).to_le_bytes());
}

fn bytes_of_lane<const N: usize>(slices: &Slices<16, N>, lane: usize) -> Vec<u8> {
    slices[..12].iter().flat_map(|word| word[lane].to_le_bytes()).collect()
}

#[test]
fn steps_of_chains() {
    fn run<const N: usize>(lanes: impl Lanes<N>) {
        for steps in 0..9 {
            let messages = step_messages::<N>();
            let mut slices = sliced::<N>(&messages);
            let columns = lanes.columns(&slices);
            lanes.steps(&mut slices, &columns, steps);
            for (lane, mut message) in messages.into_iter().enumerate() {
                (0..steps).for_each(|_| take_step(&mut message));
                assert_eq!(bytes_of_lane(&slices, lane), message, "{steps} steps, lane {lane} of {N}");
            }
        }
    }
    for isa in isas() {
        with_lanes!(isa, lanes => run(lanes));
    }
    run(phalanx_core::lanes::Scalar);
}

/// All parts are done once, in order, and the step is what it is without them.
#[test]
fn steps_while_something_else_is_done() {
    struct Noting<'a>(&'a mut Vec<usize>);
    impl Meanwhile for Noting<'_> {
        fn part(&mut self, part: usize) {
            self.0.push(part);
        }
    }
    fn run<const N: usize>(lanes: impl Lanes<N>) {
        let messages = step_messages::<N>();
        let mut slices = sliced::<N>(&messages);
        let columns = lanes.columns(&slices);
        let mut parts = Vec::new();
        lanes.step_while(&mut slices, &columns, Noting(&mut parts));
        assert_eq!(parts, (0..PARTS).collect::<Vec<_>>());
        for (lane, mut message) in messages.into_iter().enumerate() {
            take_step(&mut message);
            assert_eq!(bytes_of_lane(&slices, lane), message, "lane {lane} of {N}");
        }
    }
    for isa in isas() {
        with_lanes!(isa, lanes => run(lanes));
    }
}

/// Paths of nodes whose messages are laid out by hand.
#[test]
fn paths() {
    const LEVELS: usize = 5;
    const LABEL: u32 = 0x300;
    fn run<const N: usize>(lanes: impl Lanes<N>) {
        let indices: [u32; N] = core::array::from_fn(|lane| {
            0x8765_4321_u32.rotate_left(5 * u32::try_from(lane).expect("few lanes"))
        });
        let path = |lane: usize| -> [Vec<u8>; LEVELS] {
            core::array::from_fn(|level| bytes(100 * level + lane, 16))
        };
        let slices = |of: &dyn Fn(usize) -> Vec<u8>| -> Slices<4, N> {
            let rows: Vec<_> = (0..N).map(of).collect();
            Slices(core::array::from_fn(|i| {
                core::array::from_fn(|lane| {
                    u32::from_le_bytes(rows[lane][4 * i..4 * i + 4].try_into().expect("a word"))
                })
            }))
        };
        // What else is in the room to work in is of no account.
        let (mut node, mut message) = (slices(&|lane| bytes(lane, 16)), Slices([[0x5a5a_5a5a; N]; 16]));
        message[4..8].copy_from_slice(&*slices(&|lane| bytes(lane + 50, 16)));
        let siblings: Vec<_> = (0..LEVELS).map(|level| slices(&|lane| path(lane)[level].clone())).collect();
        lanes.climb(LABEL, &mut node, &indices, &siblings, &mut message);
        for (lane, mut index) in indices.into_iter().enumerate() {
            let mut wanted = bytes(lane, 16);
            for (level, sibling) in (1..).zip(path(lane)) {
                let nodes = if index & 1 == 1 { [sibling, wanted] } else { [wanted, sibling] };
                index >>= 1;
                let mut input = [LABEL, level, 0, index].map(u32::to_le_bytes).concat();
                input.extend(bytes(lane + 50, 16));
                input.extend(nodes.concat());
                wanted = blake2s(&[], &input)[..16].to_vec();
            }
            let got: Vec<u8> = node.iter().flat_map(|word| word[lane].to_le_bytes()).collect();
            assert_eq!(got, wanted, "lane {lane} of {N}");
        }
    }
    for isa in isas() {
        with_lanes!(isa, lanes => run(lanes));
    }
    run(phalanx_core::lanes::Scalar);
}

#[test]
fn one_message_alone() {
    for quarters in 1..=13 {
        let message = bytes(7, 16 * quarters);
        let words: Vec<[u32; 4]> = message
            .chunks(16)
            .map(|quarter| {
                core::array::from_fn(|i| {
                    u32::from_le_bytes(quarter[4 * i..4 * i + 4].try_into().expect("a word"))
                })
            })
            .collect();
        let digest: Vec<u8> = half_digest(&words).iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(digest, blake2s(&[], &message)[..16], "{quarters} quarters of a block");
    }
}
