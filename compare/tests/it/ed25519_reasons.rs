//! Which check `explain` names first, for inputs that fail several: one row for each input, on every backend.

use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use phalanx::Backend;
use phalanx::ed25519::{PreparedKey, Profile, Reason, Signature, VerifyingKey, explain};
use sha2::{Digest, Sha512};

use Reason::{
    EquationFailed, InvalidLength, InvalidPublicKey, InvalidR, NonCanonicalPoint, NonCanonicalS,
    WeakPublicKey, WeakR,
};

/// The columns of the table.
const PROFILES: [Profile; 5] =
    [Profile::Strict, Profile::Zip215, Profile::Rfc8032, Profile::Cofactorless, Profile::ZigStd];

const MESSAGE: &[u8] = b"reasons";

type Wanted = Result<(), Reason>;

struct Row {
    what: &'static str,
    key: Vec<u8>,
    signature: Vec<u8>,
    wanted: [Wanted; 5],
}

/// A key or an R: its bytes, and the scalar that S is made from.
#[derive(Clone, Copy)]
struct Part([u8; 32], Scalar);

fn part(scalar: u64) -> Part {
    let scalar = Scalar::from(scalar);
    Part(EdwardsPoint::mul_base(&scalar).compress().0, scalar)
}

fn fixed(bytes: [u8; 32]) -> Part {
    Part(bytes, Scalar::ZERO)
}

/// The lowest byte, the others, the highest.
fn bytes(low: u8, rest: u8, high: u8) -> [u8; 32] {
    let mut bytes = [rest; 32];
    (bytes[0], bytes[31]) = (low, high);
    bytes
}

/// R and S = r + k a.
fn sign(key: Part, r: Part) -> Vec<u8> {
    let k = Sha512::new().chain_update(r.0).chain_update(key.0).chain_update(MESSAGE).finalize();
    let s = r.1 + Scalar::from_bytes_mod_order_wide(&k.into()) * key.1;
    [r.0, s.to_bytes()].concat()
}

fn with_bad_s(mut signature: Vec<u8>) -> Vec<u8> {
    signature[63] |= 0xf0;
    signature
}

fn with_other_s(mut signature: Vec<u8>) -> Vec<u8> {
    signature[32] ^= 1;
    signature
}

fn points(key: Part, what: &'static str, signature: Vec<u8>, wanted: [Wanted; 5]) -> Row {
    Row { what, key: key.0.to_vec(), signature, wanted }
}

fn lengths() -> Vec<Row> {
    let (key, r) = (part(1234), part(4321));
    let wrong = |what, got, wanted| [Err(InvalidLength { what, got, wanted }); 5];
    let row = |what, key: &[u8], signature: &[u8], wanted| Row {
        what,
        key: key.to_vec(),
        signature: signature.to_vec(),
        wanted,
    };
    let signature = sign(key, r);
    vec![
        row("a key too short", &key.0[1..], &signature, wrong("public key", 31, 32)),
        row("a signature too long", &key.0, &[0; 65], wrong("signature", 65, 64)),
        row("both wrong", &[], &[], wrong("public key", 0, 32)),
    ]
}

fn rows() -> Vec<Row> {
    let (key, r) = (part(1234), part(4321));
    let no_point = fixed(bytes(2, 0, 0));
    let identity = fixed(bytes(1, 0, 0));
    let signed_identity = fixed(bytes(1, 0, 0x80));
    let identity_plus_p = fixed(bytes(0xee, 0xff, 0x7f));
    let order_8 = fixed(EIGHT_TORSION[1].compress().0);
    let shifted = Part((EdwardsPoint::mul_base(&key.1) + EIGHT_TORSION[1]).compress().0, key.1);
    let no = Err(EquationFailed);
    let (weak_a, weak_r, not_canonical) = (Err(WeakPublicKey), Err(WeakR), Err(NonCanonicalPoint));
    vec![
        points(key, "all is well", sign(key, r), [Ok(()); 5]),
        points(key, "another S", with_other_s(sign(key, r)), [no; 5]),
        points(no_point, "S, key and R bad", with_bad_s(sign(key, no_point)), [Err(NonCanonicalS); 5]),
        points(no_point, "key and R no points", sign(key, no_point), [Err(InvalidPublicKey); 5]),
        points(key, "R no point", sign(key, no_point), [no, Err(InvalidR), Err(InvalidR), no, Err(InvalidR)]),
        points(
            identity_plus_p,
            "weak key not canonical, R no point",
            sign(identity_plus_p, no_point),
            [weak_a, Err(InvalidR), Err(InvalidR), no, Err(InvalidR)],
        ),
        points(
            identity_plus_p,
            "weak key not canonical",
            sign(identity_plus_p, r),
            [weak_a, Ok(()), not_canonical, Ok(()), not_canonical],
        ),
        points(
            signed_identity,
            "weak key with a sign on x = 0",
            sign(signed_identity, r),
            [weak_a, Ok(()), not_canonical, Ok(()), weak_a],
        ),
        points(identity, "weak key", sign(identity, r), [weak_a, Ok(()), Ok(()), Ok(()), weak_a]),
        points(
            identity,
            "weak key, weak R",
            sign(identity, identity),
            [weak_a, Ok(()), Ok(()), Ok(()), weak_a],
        ),
        points(key, "weak R", sign(key, identity), [weak_r, Ok(()), Ok(()), Ok(()), weak_r]),
        points(key, "weak R, another S", with_other_s(sign(key, identity)), [no, no, no, no, weak_r]),
        points(key, "R of order 8, Q = O", sign(key, order_8), [no, Ok(()), Ok(()), no, weak_r]),
        points(key, "R of order 8, another S", with_other_s(sign(key, order_8)), [no; 5]),
        points(key, "Q = O, R any", sign(key, Part(r.0, Scalar::ZERO)), [no, no, no, no, weak_r]),
        points(
            key,
            "weak R not canonical",
            sign(key, identity_plus_p),
            [no, Ok(()), not_canonical, no, not_canonical],
        ),
        points(
            key,
            "weak R with a sign on x = 0",
            sign(key, signed_identity),
            [no, Ok(()), not_canonical, no, weak_r],
        ),
        points(shifted, "key with torsion", sign(shifted, r), [no, Ok(()), Ok(()), no, Ok(())]),
    ]
}

#[test]
fn the_first_check_that_fails_is_named() {
    for backend in Backend::ALL {
        let ran = backend.force(|| {
            for Row { what, key, signature, wanted } in lengths().into_iter().chain(rows()) {
                for (profile, wanted) in PROFILES.into_iter().zip(wanted) {
                    let name = (what, profile.name(), backend.name());
                    assert_eq!(explain(profile, &key, MESSAGE, &signature), wanted, "{name:?}");
                    let decoded = VerifyingKey::try_from(&key[..]);
                    if let (Ok(key), Ok(signature)) = (decoded, Signature::try_from(&signature[..])) {
                        let by_key = key.verify_with(profile, MESSAGE, &signature);
                        let prepared = PreparedKey::new(&key).verify_with(profile, MESSAGE, &signature);
                        assert_eq!([by_key.is_ok(), prepared.is_ok()], [wanted.is_ok(); 2], "{name:?}");
                    }
                }
            }
        });
        if ran.is_err() {
            eprintln!("{}: not run", backend.name());
        }
    }
}
