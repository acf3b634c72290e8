//! Rescue against winter-crypto 0.13.1: permutations, hashes of every length, merges, digests and trees, on every backend.
//!
//! RPO and RPX have known answers instead (`vectors/rescue`).

use phalanx::Backend;
use phalanx::rescue::{Digest, Function, MerkleTree};
use std::panic::catch_unwind;
use winter_crypto::hashers::{Rp64_256, RpJive64_256};
use winter_crypto::{ElementHasher, Hasher};
use winter_math::fields::f64::BaseElement;

const P: u64 = 0xffff_ffff_0000_0001;

const EDGES: [u64; 14] = [
    0,
    1,
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
    7,
];

/// splitmix64, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A random word, or one from the edges: every second one of those is random.
    fn word(&mut self) -> u64 {
        let (choice, word) = (self.next() % 2, self.next());
        if choice == 0 { EDGES[(word % 14) as usize] } else { word }
    }

    fn words(&mut self, len: usize) -> Vec<u64> {
        (0..len).map(|_| self.word()).collect()
    }

    fn digest(&mut self) -> Digest {
        Digest::from_elements([self.word(), self.word(), self.word(), self.word()])
    }
}

/// `work` on each backend of this CPU; what it lacks is named.
fn on_backends(work: impl Fn()) {
    for backend in Backend::ALL {
        if backend.force(&work).is_err() {
            eprintln!("{}: not run", backend.name());
        }
    }
}

fn elements(words: &[u64]) -> Vec<BaseElement> {
    words.iter().map(|&word| BaseElement::new(word)).collect()
}

/// A digest of theirs as one of ours.
fn ours(digest: impl winter_crypto::Digest) -> Digest {
    Digest::from_bytes(&digest.as_bytes()).expect("their encoding is canonical")
}

/// A digest of ours as one of theirs.
fn theirs<D: From<[BaseElement; 4]>>(digest: &Digest) -> D {
    digest.to_elements().map(BaseElement::new).into()
}

/// What both peers are asked in the same way.
fn hashes<H>(function: Function)
where
    H: ElementHasher<BaseField = BaseElement>,
    H::Digest: From<[BaseElement; 4]>,
{
    let mut random = Random(17);
    // Elements.
    let inputs: Vec<_> = (0..=130).map(|len| random.words(len)).collect();
    let wanted: Vec<_> = inputs.iter().map(|input| ours(H::hash_elements(&elements(input)))).collect();
    for (input, wanted) in inputs.iter().zip(&wanted) {
        assert_eq!(function.hash_elements(input), *wanted, "{function:?}, {} elements", input.len());
        assert_eq!(function.hash_elements_secret(input), *wanted);
    }
    let slices: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
    assert_eq!(function.hash_elements_many(&slices), wanted);

    // Bytes, where there is an answer.
    for len in (0..=150).chain([700, 1001, 4096]) {
        let bytes: Vec<_> = (0..len).map(|_| random.next().to_le_bytes()[3]).collect();
        if let Ok(got) = function.hash(&bytes) {
            assert_eq!(got, ours(H::hash(&bytes)), "{function:?}, {len} bytes");
        } else {
            assert!(function == Function::Rp64_256 && len > 56 && len % 7 != 0);
        }
    }

    // Digests.
    for count in 0..=17 {
        let digests: Vec<_> = (0..count).map(|_| random.digest()).collect();
        let their: Vec<H::Digest> = digests.iter().map(theirs).collect();
        assert_eq!(function.merge_many(&digests), ours(H::merge_many(&their)), "{function:?}, {count}");
    }
    let pairs: Vec<_> = (0..75).map(|_| [random.digest(), random.digest()]).collect();
    let wanted: Vec<_> =
        pairs.iter().map(|[left, right]| ours(H::merge(&[theirs(left), theirs(right)]))).collect();
    assert_eq!(function.merge_pairs(&pairs), wanted);
    assert_eq!(function.merge(&pairs[0][0], &pairs[0][1]), wanted[0]);

    // A digest and an integer.
    let seed = random.digest();
    let mut values: Vec<_> = random.words(60);
    values.extend(EDGES);
    values.extend(P - 3..=P + 3);
    let wanted: Vec<_> = values.iter().map(|&value| ours(H::merge_with_int(theirs(&seed), value))).collect();
    assert_eq!(function.merge_with_ints(&seed, &values), wanted);
    for (value, wanted) in values.iter().zip(&wanted) {
        assert_eq!(function.merge_with_int(&seed, *value), *wanted, "{function:?}, {value:#x}");
    }
}

#[test]
fn rp64_256() {
    on_backends(|| {
        hashes::<Rp64_256>(Function::Rp64_256);
        let mut random = Random(1);
        let mut states = random.words(12 * 200);
        let mut wanted = Vec::new();
        for state in states.chunks_exact(12) {
            let mut state: [_; 12] = elements(state).try_into().expect("twelve");
            Rp64_256::apply_permutation(&mut state);
            wanted.extend(state.map(|element| element.as_int()));
        }
        let mut one_by_one = states.clone();
        one_by_one.chunks_exact_mut(12).for_each(|state| Function::Rp64_256.permute(state).expect("a state"));
        assert!(one_by_one == wanted);
        Function::Rp64_256.permute(&mut states).expect("whole states");
        assert!(states == wanted);
    });
}

#[test]
fn rp_jive_64_256() {
    on_backends(|| {
        hashes::<RpJive64_256>(Function::RpJive64_256);
        let mut random = Random(2);
        let mut states = random.words(8 * 203);
        let mut wanted = Vec::new();
        for state in states.chunks_exact(8) {
            let mut state: [_; 8] = elements(state).try_into().expect("eight");
            RpJive64_256::apply_permutation(&mut state);
            wanted.extend(state.map(|element| element.as_int()));
        }
        let mut one_by_one = states.clone();
        one_by_one
            .chunks_exact_mut(8)
            .for_each(|state| Function::RpJive64_256.permute(state).expect("a state"));
        assert!(one_by_one == wanted);
        Function::RpJive64_256.permute(&mut states).expect("whole states");
        assert!(states == wanted);
    });
}

/// Our errors stand exactly where the reference panics.
#[test]
fn undefined_where_the_reference_panics() {
    // Its panics are wanted here, their messages are not.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let answers: Vec<_> = (0..=150)
        .map(|len| {
            let bytes = vec![0x5a; len];
            (catch_unwind(|| ours(Rp64_256::hash(&bytes))).ok(), Function::Rp64_256.hash(&bytes).ok())
        })
        .collect();
    std::panic::set_hook(hook);
    for (len, (their, our)) in answers.into_iter().enumerate() {
        assert_eq!(our, their, "{len} bytes");
    }
}

#[test]
fn digests_decode_alike() {
    use winter_utils::{Deserializable, Serializable, SliceReader};
    let mut random = Random(3);
    for _ in 0..500 {
        let mut bytes = [0; 32];
        bytes.chunks_exact_mut(8).for_each(|word| word.copy_from_slice(&random.word().to_le_bytes()));
        let their = <Rp64_256 as Hasher>::Digest::read_from(&mut SliceReader::new(&bytes)).expect("32 bytes");
        let lenient = Digest::from_bytes_lenient(&bytes);
        assert_eq!(their.to_bytes(), lenient.to_bytes());
        // The strict form takes what is encoded so, and nothing else.
        let strict = (their.to_bytes() == bytes).then_some(lenient);
        assert_eq!(Digest::from_bytes(&bytes).ok(), strict);
    }
}

#[test]
fn trees_are_alike() {
    fn compare<H>(function: Function)
    where
        H: Hasher,
        H::Digest: From<[BaseElement; 4]>,
    {
        let mut random = Random(4);
        for log2_leaves in [1, 2, 4, 7] {
            let leaves: Vec<_> = (0..1 << log2_leaves).map(|_| random.digest()).collect();
            let their: Vec<H::Digest> = leaves.iter().map(theirs).collect();
            let their = winter_crypto::MerkleTree::<H>::new(their).expect("a power of two");
            let tree = MerkleTree::new(function, leaves).expect("a power of two");
            assert_eq!(tree.root(), ours(*their.root()));
            for index in 0..1 << log2_leaves {
                let (leaf, path) = their.prove(index).expect("a leaf");
                let path = path.into_iter().map(ours).collect::<Vec<_>>();
                assert_eq!(tree.open(index), Ok((ours(leaf), path)));
            }
        }
    }
    on_backends(|| {
        compare::<Rp64_256>(Function::Rp64_256);
        compare::<RpJive64_256>(Function::RpJive64_256);
    });
}

// ---- under their traits ----

mod under_their_traits {
    use super::*;
    use phalanx_winterfell as winterfell;
    use winter_math::fields::{CubeExtension, QuadExtension};

    /// `O` gives what `T` gives, and the same type of digest.
    fn compare<O, T>()
    where
        O: ElementHasher<BaseField = BaseElement, Digest = T::Digest>,
        T: ElementHasher<BaseField = BaseElement>,
        T::Digest: From<[BaseElement; 4]>,
    {
        assert_eq!(O::COLLISION_RESISTANCE, T::COLLISION_RESISTANCE);
        let mut random = Random(5);
        for len in 0..=70 {
            let input = elements(&random.words(len));
            assert_eq!(O::hash_elements(&input), T::hash_elements(&input), "{len} elements");
            let word = |random: &mut Random| BaseElement::new(random.word());
            let squares: Vec<_> =
                (0..len).map(|_| QuadExtension::new(word(&mut random), word(&mut random))).collect();
            assert_eq!(O::hash_elements(&squares), T::hash_elements(&squares), "{len} of degree 2");
            let cubes: Vec<_> = (0..len)
                .map(|_| CubeExtension::new(word(&mut random), word(&mut random), word(&mut random)))
                .collect();
            assert_eq!(O::hash_elements(&cubes), T::hash_elements(&cubes), "{len} of degree 3");
            let digests: Vec<T::Digest> = (0..len).map(|_| theirs(&random.digest())).collect();
            assert_eq!(O::merge_many(&digests), T::merge_many(&digests));
            if let [left, right, ..] = digests[..] {
                assert_eq!(O::merge(&[left, right]), T::merge(&[left, right]));
                let value = random.word();
                assert_eq!(O::merge_with_int(left, value), T::merge_with_int(left, value), "{value:#x}");
            }
        }
        for len in (0..=56).chain([63, 70, 77, 84, 700]) {
            let bytes: Vec<_> = (0..len).map(|_| random.next().to_le_bytes()[5]).collect();
            assert_eq!(O::hash(&bytes), T::hash(&bytes), "{len} bytes");
        }
    }

    #[test]
    fn rp64_256() {
        on_backends(compare::<winterfell::Rp64_256, Rp64_256>);
    }

    #[test]
    fn rp_jive_64_256() {
        on_backends(compare::<winterfell::RpJive64_256, RpJive64_256>);
        for len in 57..130 {
            let bytes = vec![7; len];
            assert_eq!(winterfell::RpJive64_256::hash(&bytes), RpJive64_256::hash(&bytes));
        }
    }

    /// The trait has no room for our error.
    #[test]
    #[should_panic(expected = "rescue-rp64-256 defines no hash of 57 bytes")]
    fn an_undefined_length_panics() {
        let _ = winterfell::Rp64_256::hash(&[0; 57]);
    }

    #[test]
    fn digests_go_there_and_back() {
        let mut random = Random(6);
        for _ in 0..100 {
            let digest = random.digest();
            let their: <Rp64_256 as Hasher>::Digest = winterfell::digest_to(digest);
            assert_eq!(winter_crypto::Digest::as_bytes(&their), digest.to_bytes());
            assert_eq!(winterfell::digest_from(their), digest);
        }
    }
}
