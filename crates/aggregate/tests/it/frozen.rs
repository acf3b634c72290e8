//! Test 16 of the specification's section 6: what each of the things that a transcript absorbs is there for. To a verifier
//! whose transcript is deaf to one of them, challenges are known before that thing is chosen, and a false claim is made to
//! fit them. Every forgery is believed by the deaf verifier, and refused by the one of the specification.

use crate::forge::{
    Bound, Committed, Verdict, log2_blocks, outer, published, randomizers_with, rules_of, subset,
    three_points,
};
use crate::support::one;
use phalanx_aggregate::hazmat::{randomizers, words};
use phalanx_aggregate::{Limits, Profile, ProofError, Statement, verify};
use phalanx_reference::aggregate::{BLOCKS_OF_A_SIGNATURE, Circuit, Rule, SLOTS, Weights, extended, weights};
use phalanx_reference::ligerito::{Large, Transcript, dot, eq, large_bytes, next_sigma};
use phalanx_testing::again;

/// The one whose signature is forged: the published key, at a message that it never signed.
const UNSIGNED: [u8; 32] = *b"a message that was never signed.";

/// What verifiers say: the deaf one, and that of the specification.
fn verdicts(
    bound: &Bound<'_>,
    deaf_to: &str,
    outer: &[u8],
    opening: &[u8],
) -> (Result<(), Verdict>, Result<(), ProofError>) {
    let rules = rules_of(bound.statement, bound.randomizers);
    let transcript = bound.transcript::<u128>(Some(deaf_to));
    let deaf = bound.verdict(transcript, &rules, outer, opening);
    let limits = Limits::new(&[Profile::Provable100]);
    let made = bound.aggregate(outer, opening);
    (deaf, verify(&limits, bound.statement, bound.context, &made))
}

/// A proof whose every element is zero up to the wiring: true of committed zeros, which keep the circuit. The wiring's
/// challenges are known then.
struct Zeros {
    transcript: Transcript<u128>,
    said: Vec<u8>,
    n: usize,
    zeta: Vec<u128>,
    y: Vec<u128>,
    tau: Vec<u128>,
    lambda: Vec<u128>,
}

impl Zeros {
    fn new(mut transcript: Transcript<u128>, n: usize) -> Self {
        let mut said = Vec::new();
        let mut say = |transcript: &mut Transcript<u128>, label: &str, count: usize| {
            let bytes = vec![0; 16 * count];
            transcript.absorb(label, &bytes);
            said.extend(bytes);
        };
        let challenges = |transcript: &mut Transcript<u128>, label: &str, count: usize| {
            (0..count).map(|_| transcript.challenge(label)).collect::<Vec<u128>>()
        };
        let zeta = challenges(&mut transcript, "zeta", 14 + n);
        say(&mut transcript, "slices", 32);
        let rounds = |transcript: &mut Transcript<u128>,
                      say: &mut dyn FnMut(&mut Transcript<u128>),
                      label: &str,
                      count: usize| {
            let mut point = Vec::new();
            for _ in 0..count {
                say(transcript);
                point.push(transcript.challenge(label));
            }
            point
        };
        let r = rounds(&mut transcript, &mut |t| say(t, "zerocheck", 2), "zerocheck-r", 14 + n);
        say(&mut transcript, "products", 2);
        transcript.challenge("alpha");
        let y_in = rounds(&mut transcript, &mut |t| say(t, "lincheck", 2), "lincheck-r", 14);
        say(&mut transcript, "slices", 32);
        let tau = challenges(&mut transcript, "tau", 7);
        let lambda = challenges(&mut transcript, "lambda", 4 + n);
        let y = [&y_in[5..], &r[14..]].concat();
        Self { transcript, said, n, zeta: zeta[5..].to_vec(), y, tau, lambda }
    }

    /// Rounds of zeros; slice 0 makes the last check hold of them. Gives what was said, the three points, that slice, and the
    /// opening's context.
    fn finish(mut self, wiring: &Weights<u128>) -> Frozen {
        let (mut sum, mut point) = (wiring.sum, Vec::new());
        for _ in 0..4 + self.n {
            self.transcript.absorb("wiring", &[0; 32]);
            self.said.extend([0; 32]);
            let r = self.transcript.challenge("wiring-r");
            sum = next_sigma(sum, (0, 0), r);
            point.push(r);
        }
        let weight = dot(u128::FIELD, &wiring.w, &eq(&point)).times(eq(&self.tau[..5])[0]);
        let slice = sum.times(inverse(weight));
        let mut slices = vec![0; 32];
        slices[0] = slice;
        let bytes = large_bytes(&slices);
        self.transcript.absorb("slices", &bytes);
        self.said.extend(bytes);
        let context = [&b"phalanx-aggregate-v1"[..], &self.transcript.squeeze("opening", 32)].concat();
        let points = [self.zeta, self.y, [&self.tau[5..], &point[..4], &[0; 3], &point[4..]].concat()];
        Frozen { said: self.said, points, slice, context }
    }
}

/// All of a proof but its opening.
struct Frozen {
    said: Vec<u8>,
    points: [Vec<u128>; 3],
    slice: u128,
    context: Vec<u8>,
}

impl Frozen {
    fn opening(&self, committed: &Committed<'_>) -> Vec<u8> {
        committed.open(&self.points, &self.context)
    }
}

/// x^(2^128 - 2).
fn inverse(x: u128) -> u128 {
    assert_ne!(x, 0);
    let (mut power, mut product) = (x, 1);
    for _ in 1..128 {
        power = power.times(power);
        product = power.times(product);
    }
    product
}

/// A randomizer that encodes the message.
fn randomizer(key: &[u8; 32], epoch: u32, message: &[u8; 32]) -> [u8; 24] {
    let parameter = key[16..].try_into().expect("16 bytes");
    let mut found = randomizers_with(&parameter, epoch, message, [false, false]);
    found.next().expect("there are many").0
}

/// One key at one epoch for one message.
type Claim = (u32, [u8; 32], [u8; 32]);

/// A statement of groups of one key, in order.
fn groups(claims: &[Claim]) -> Statement {
    let mut bytes = u32::try_from(claims.len()).expect("few").to_le_bytes().to_vec();
    for (epoch, message, key) in claims {
        bytes.extend(epoch.to_le_bytes());
        bytes.extend(message);
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(key);
    }
    Statement::from_bytes(&bytes).expect("in order")
}

fn victim() -> Claim {
    let (key, epoch, _) = published();
    (epoch, UNSIGNED, key.public_key().to_bytes().try_into().expect("32 bytes"))
}

/// Deaf to the commitment: it is chosen last. For each bit of a word the slices at three points are 384 equations over GF(2),
/// which some hundred words solve. Anything is proved.
#[test]
fn a_transcript_deaf_to_the_commitment() {
    if again() {
        return;
    }
    let claim = victim();
    let statement = groups(&[claim]);
    let randomizer = randomizer(&claim.2, claim.0, &claim.1);
    let bound = Bound::of::<u128>(&statement, &randomizer, [0; 32]);
    let n = log2_blocks(&statement);
    let zeros = Zeros::new(bound.transcript(Some("commitment")), n);
    let wiring = weights(
        &Circuit::blake2s(),
        rules_of(&statement, &randomizer).as_flattened(),
        &zeros.tau,
        &zeros.lambda,
    );
    assert_ne!(wiring.sum, 0, "zeros do not keep the rules");
    let frozen = zeros.finish(&wiring);
    let tables = frozen.points.clone().map(|point| eq(&point));
    // Half of the words in slots that the wiring looks at, where the third point's weights are not zero.
    let places: Vec<usize> = (0..1000_usize)
        .map(|i| (i.wrapping_mul(0x9e37_79b1) % (1 << 17)) & if i % 2 == 0 { !0x1c0 } else { !0 })
        .collect();
    let columns: Vec<Vec<u128>> =
        places.iter().map(|place| tables.iter().map(|table| table[*place]).collect()).collect();
    let which = subset(&columns, &[0, 0, frozen.slice]).expect("more unknowns than equations");
    let mut words = vec![0; 1 << 17];
    which.iter().for_each(|i| words[places[*i]] ^= 1);
    let committed = Committed::new(&words);
    let bound = Bound { root: committed.root, ..bound };
    let (deaf, whole) = verdicts(&bound, "commitment", &frozen.said, &frozen.opening(&committed));
    assert_eq!((deaf, whole), (Ok(()), Err(ProofError::Wiring)));
}

/// Deaf to the statement: roots of keys are chosen last, and count in one sum only, linearly: 128 equations over GF(2), and
/// two keys of the forger's have 256 bits. The third is whosever one likes.
#[test]
fn a_transcript_deaf_to_the_statement() {
    if again() {
        return;
    }
    let victim = victim();
    let key = [7; 32];
    let claims = [(1, UNSIGNED, key), (2, UNSIGNED, key), victim];
    let randomizers: Vec<u8> =
        claims.iter().flat_map(|(epoch, message, key)| randomizer(key, *epoch, message)).collect();
    let statement = groups(&claims);
    let n = log2_blocks(&statement);
    let words = vec![0; 1 << (n + 9)];
    let committed = Committed::new(&words);
    let bound = Bound::of::<u128>(&statement, &randomizers, committed.root);
    let zeros = Zeros::new(bound.transcript(Some("statement")), n);
    let wanted = weights(
        &Circuit::blake2s(),
        rules_of(&statement, &randomizers).as_flattened(),
        &zeros.tau,
        &zeros.lambda,
    )
    .sum;
    let (of_rules, of_bits) = (eq(&zeros.lambda), eq(&zeros.tau));
    let root_of = |signature: usize| 8 + SLOTS * (BLOCKS_OF_A_SIGNATURE * (signature + 1) - 1);
    let columns: Vec<Vec<u128>> =
        (0..256).map(|i| vec![of_rules[root_of(i / 128)].times(of_bits[i % 128])]).collect();
    let mut forged = claims;
    for i in subset(&columns, &[wanted]).expect("more unknowns than equations") {
        forged[i / 128].2[i % 128 / 8] ^= 1 << (i % 8);
    }
    let forged = groups(&forged);
    assert_eq!(forged.groups()[2].keys(), [victim.2]);
    let wiring = weights(
        &Circuit::blake2s(),
        rules_of(&forged, &randomizers).as_flattened(),
        &zeros.tau,
        &zeros.lambda,
    );
    assert_eq!(wiring.sum, 0, "zeros fit the challenges");
    let frozen = zeros.finish(&wiring);
    let bound = Bound { statement: &forged, ..bound };
    let (deaf, whole) = verdicts(&bound, "statement", &frozen.said, &frozen.opening(&committed));
    assert_eq!((deaf, whole), (Ok(()), Err(ProofError::Wiring)));
}

/// Deaf to the randomizers: each signature has one of two, and which is chosen last: 128 equations over GF(2) in as many
/// unknowns as there are signatures.
#[test]
fn a_transcript_deaf_to_the_randomizers() {
    if again() {
        return;
    }
    const SIGNATURES: usize = 140;
    let (epoch, message) = (5_u32, UNSIGNED);
    // One parameter for all, so that two randomizers are enough.
    let key = |i: usize| {
        let mut key = [9; 32];
        key[0] = u8::try_from(i).expect("at most 255");
        key
    };
    let mut bytes =
        [&1_u32.to_le_bytes()[..], &epoch.to_le_bytes(), &message, &140_u32.to_le_bytes()].concat();
    (0..SIGNATURES).for_each(|i| bytes.extend(key(i)));
    let statement = Statement::from_bytes(&bytes).expect("in order");
    let found = randomizers_with(&[9; 16], epoch, &message, [false, false]);
    let two: Vec<[u8; 24]> = found.take(2).map(|(randomizer, _)| randomizer).collect();
    let n = log2_blocks(&statement);
    let words = vec![0; 1 << (n + 9)];
    let committed = Committed::new(&words);
    let all = [0, 1].map(|which: usize| two[which].repeat(SIGNATURES));
    let bound = Bound::of::<u128>(&statement, &all[0], committed.root);
    let zeros = Zeros::new(bound.transcript(Some("rho")), n);
    // What the public slots of every signature add up to.
    let (of_rules, of_bits) = (eq(&zeros.lambda), eq(&zeros.tau));
    let sums = all.each_ref().map(|randomizers| {
        let mut sums = [0; SIGNATURES];
        for (at, rule) in rules_of(&statement, randomizers).as_flattened().iter().enumerate() {
            if let Rule::Public(bytes) = rule {
                sums[at / (SLOTS * BLOCKS_OF_A_SIGNATURE)] ^= of_rules[at].times(extended(bytes, &of_bits));
            }
        }
        sums
    });
    let columns: Vec<Vec<u128>> = sums[0].iter().zip(&sums[1]).map(|(a, b)| vec![a ^ b]).collect();
    let wanted = sums[0].iter().fold(0, |sum, x| sum ^ x);
    let second = subset(&columns, &[wanted]).expect("more unknowns than equations");
    let chosen: Vec<u8> = (0..SIGNATURES).flat_map(|i| two[usize::from(second.contains(&i))]).collect();
    let wiring =
        weights(&Circuit::blake2s(), rules_of(&statement, &chosen).as_flattened(), &zeros.tau, &zeros.lambda);
    assert_eq!(wiring.sum, 0, "zeros fit the challenges");
    let frozen = zeros.finish(&wiring);
    let bound = Bound { randomizers: &chosen, ..bound };
    let (deaf, whole) = verdicts(&bound, "rho", &frozen.said, &frozen.opening(&committed));
    assert_eq!((deaf, whole), (Ok(()), Err(ProofError::Wiring)));
}

/// Deaf to the context: what was made for one purpose serves for another.
#[test]
fn a_transcript_deaf_to_the_context() {
    if again() {
        return;
    }
    let (statement, signatures) = one();
    let randomizers = randomizers(&signatures);
    let words = words(&statement, &signatures).expect("a signature");
    let committed = Committed::new(&words);
    let bound = Bound::of::<u128>(&statement, &randomizers, committed.root);
    let rules = rules_of(&statement, &randomizers);
    let made = outer(bound.transcript(Some("ctx")), &rules, words.clone(), |_, _, _| ());
    let opening = committed.open(&three_points(&made.points), &made.context);
    let other = Bound { context: b"another purpose", ..bound };
    let (deaf, whole) = verdicts(&other, "ctx", &made.bytes, &opening);
    assert_eq!((deaf, whole), (Ok(()), Err(ProofError::Zerocheck)));
}
