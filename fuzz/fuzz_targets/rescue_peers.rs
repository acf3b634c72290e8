//! Rescue on every backend against winter-crypto: permutations (and through them and Jive the field), sponges,
//! and merges, on words that are edges of the field and of its representations as often as they are free.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phalanx::Backend;
use phalanx::rescue::{Digest, Error, Function, Hasher as Streamed};
use winter_crypto::ElementHasher;
use winter_crypto::hashers::{Rp64_256, RpJive64_256};
use winter_math::fields::f64::BaseElement;

const P: u64 = 0xffff_ffff_0000_0001;

const EDGES: [u64; 16] = [
    0,
    1,
    2,
    P - 1,
    P,
    P + 1,
    u64::MAX,
    u64::MAX - 1,
    0xffff_ffff,
    1 << 32,
    1 << 48,
    1 << 52,
    1 << 63,
    0xffff_fffe_0000_0001,
    (1 << 52) - 1,
    0xffff_ffff_0000_0000,
];

/// The input, over and over, each round changed a little.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let (round, index) = (self.at / self.bytes.len(), self.at % self.bytes.len());
        self.at += 1;
        self.bytes[index].wrapping_add((round % 251) as u8)
    }

    /// An edge, a word near one, or eight bytes of the input.
    fn word(&mut self) -> u64 {
        let choice = self.byte();
        let edge = EDGES[usize::from(choice % 16)];
        match choice / 16 % 4 {
            0 => edge,
            1 => edge.wrapping_add(u64::from(self.byte())).wrapping_sub(128),
            _ => u64::from_le_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    fn words(&mut self, len: usize) -> Vec<u64> {
        (0..len).map(|_| self.word()).collect()
    }

    fn digest(&mut self) -> Digest {
        Digest::from_elements(std::array::from_fn(|_| self.word()))
    }
}

/// What the peer says, computed once for all backends.
struct Case {
    function: Function,
    states: Vec<u64>,
    permuted: Vec<u64>,
    lists: Vec<(Vec<u64>, Digest)>,
    bytes: Vec<u8>,
    /// `None` where the reference panics.
    of_bytes: Option<Digest>,
    pairs: Vec<[Digest; 2]>,
    merged: Vec<Digest>,
    of_all: Digest,
    values: Vec<u64>,
    with_ints: Vec<Digest>,
}

fn ours(digest: impl winter_crypto::Digest) -> Digest {
    Digest::from_bytes(&digest.as_bytes()).expect("their encoding is canonical")
}

fn theirs<D: From<[BaseElement; 4]>>(digest: &Digest) -> D {
    digest.to_elements().map(BaseElement::new).into()
}

fn case<H, const WIDTH: usize>(
    function: Function,
    input: &mut Input<'_>,
    permute: fn(&mut [BaseElement; WIDTH]),
) -> Case
where
    H: ElementHasher<BaseField = BaseElement>,
    H::Digest: From<[BaseElement; 4]>,
{
    // Around the lanes.
    let count = usize::from(input.byte() % 18);
    let states = input.words(count * WIDTH);
    let mut permuted = Vec::new();
    for state in states.chunks_exact(WIDTH) {
        let mut state: [BaseElement; WIDTH] = std::array::from_fn(|i| BaseElement::new(state[i]));
        permute(&mut state);
        permuted.extend(state.map(|element| element.as_int()));
    }
    let lists = (0..input.byte() % 12)
        .map(|_| {
            let len = usize::from(input.byte() % 20);
            let list = input.words(len);
            let elements: Vec<_> = list.iter().map(|&word| BaseElement::new(word)).collect();
            let digest = ours(H::hash_elements(&elements));
            (list, digest)
        })
        .collect();
    let len = usize::from(input.byte());
    let bytes: Vec<_> = (0..len).map(|_| input.byte()).collect();
    let defined = function != Function::Rp64_256 || len <= 56 || len % 7 == 0;
    let of_bytes = defined.then(|| ours(H::hash(&bytes)));
    let pairs: Vec<_> = (0..input.byte() % 10).map(|_| [input.digest(), input.digest()]).collect();
    let merged = pairs.iter().map(|[left, right]| ours(H::merge(&[theirs(left), theirs(right)]))).collect();
    let all: Vec<_> = pairs.as_flattened().iter().map(theirs).collect();
    let of_all = ours(H::merge_many(&all));
    let seed = pairs.first().map_or(Digest::default(), |pair| pair[0]);
    let count = usize::from(input.byte() % 10);
    let values = input.words(count);
    let with_ints = values.iter().map(|&value| ours(H::merge_with_int(theirs(&seed), value))).collect();
    Case { function, states, permuted, lists, bytes, of_bytes, pairs, merged, of_all, values, with_ints }
}

fn check(case: &Case) {
    let function = case.function;
    let mut states = case.states.clone();
    function.permute(&mut states).expect("whole states");
    assert!(states == case.permuted);
    states.copy_from_slice(&case.states);
    states.chunks_exact_mut(function.width()).for_each(|state| function.permute(state).expect("a state"));
    assert!(states == case.permuted);

    let inputs: Vec<&[u64]> = case.lists.iter().map(|(list, _)| list.as_slice()).collect();
    let digests: Vec<_> = case.lists.iter().map(|(_, digest)| *digest).collect();
    assert_eq!(function.hash_elements_many(&inputs), digests);
    for (list, digest) in &case.lists {
        assert_eq!(function.hash_elements(list), *digest);
    }

    let undefined = Error::UndefinedLength { got: case.bytes.len() };
    assert_eq!(function.hash(&case.bytes), case.of_bytes.ok_or(undefined));
    let mut streamed = Streamed::new_padded(function, case.bytes.len() as u64);
    case.bytes.chunks(9).for_each(|piece| streamed.update(piece));
    assert_eq!(streamed.finalize(), Ok(function.hash_padded(&case.bytes)));

    assert_eq!(function.merge_pairs(&case.pairs), case.merged);
    for ([left, right], merged) in case.pairs.iter().zip(&case.merged) {
        assert_eq!(function.merge(left, right), *merged);
    }
    assert_eq!(function.merge_many(case.pairs.as_flattened()), case.of_all);
    let seed = case.pairs.first().map_or(Digest::default(), |pair| pair[0]);
    assert_eq!(function.merge_with_ints(&seed, &case.values), case.with_ints);
}

/// The forms for secrets have no backends.
fn check_secret(case: &Case) {
    let mut states = case.states.clone();
    case.function.permute_secret(&mut states).expect("whole states");
    assert!(states == case.permuted);
    for ([left, right], merged) in case.pairs.iter().zip(&case.merged) {
        assert_eq!(case.function.merge_secret(left, right), *merged);
    }
    for (list, digest) in &case.lists {
        assert_eq!(case.function.hash_elements_secret(list), *digest);
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    if bytes.is_empty() {
        return;
    }
    let mut input = Input { bytes, at: 0 };
    let case = if choice % 2 == 0 {
        case::<Rp64_256, 12>(Function::Rp64_256, &mut input, Rp64_256::apply_permutation)
    } else {
        case::<RpJive64_256, 8>(Function::RpJive64_256, &mut input, RpJive64_256::apply_permutation)
    };
    check_secret(&case);
    for backend in Backend::ALL {
        if backend.is_available() {
            backend.force(|| check(&case)).expect("available");
        }
    }
});
