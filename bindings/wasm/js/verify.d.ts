// Types of `@phalanx-crypto/phalanx/verify`: the verifiers alone.

/** Bytes, however they are held. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView;

/** How to start. */
export interface LoadOptions {
  /** Whether to take the build with SIMD; what the engine has, unless told. */
  simd?: boolean;
  /**
   * The module of the build, where it cannot be fetched: in a worker of a platform that hands out compiled modules, or
   * where a bundler moved it. Its bytes or a response with them will do. The package exports the files, such as
   * `@phalanx-crypto/phalanx/full-simd.wasm`; say `simd: false` with one that is scalar.
   */
  module?: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>;
}

/** The digits of bytes, two for each, in lower case. */
export function toHex(bytes: Uint8Array): string;

/** The bytes of an even number of digits, in either case, with `0x` before them or without. Else a `RangeError`. */
export function fromHex(text: string): Uint8Array;

/** Any error of this package but those of wrong JavaScript types. `name` is what the Rust error is called. */
export class PhalanxError extends Error {}

/** What was given does not verify: `InvalidSignature`, or the check of a proof that failed. */
export class VerificationError extends PhalanxError {}

/** Bytes that are not what they should be: `Malformed`, `InvalidKeyFormat`, `InvalidPublicKey`, `KeyMismatch`. */
export class DecodingError extends PhalanxError {}

/** Whether this engine runs vectors of 128 bits. */
export function hasSimd(): boolean;

/** Starts the verifiers. Each build starts once; later calls give the same. */
export function load(options?: LoadOptions): Promise<Verifiers>;

/**
 * Errors are `PhalanxError`s whose `name` is that of the Rust error (`InvalidSignature`, `Malformed`, `EpochUsed`,
 * `MerkleRoot`, ...), with the same sentence. A name that does not exist is `UnknownName`; values of a wrong JavaScript
 * type are `TypeError` or `RangeError`.
 */
export interface Verifiers {
  /** Which of the two builds this is. */
  readonly build: "simd" | "scalar";
  /** The name of the kernels that run. */
  readonly backend: string;
  /** The version of the package. */
  readonly version: string;
  readonly xmss: XmssVerifiers;
  readonly ed25519: Ed25519Verifiers;
  readonly ligerito: LigeritoVerifiers;
}

/** An encoding of keys and signatures of XMSS. Sets over BLAKE2s have the same bytes in the first three, and no padding. */
export type XmssFormat = "ssz" | "bincode" | "bincode2" | "bincode-padded";

/** That a key signed a message at an epoch. */
export interface XmssClaim {
  /** The name of the parameter set, such as `xmss-poseidon2-l32-d64b8` or `xmss-blake2s-l32-d42b8`. */
  set: string;
  /** `ssz` unless told. */
  format?: XmssFormat;
  publicKey: Bytes;
  /** From 0 to 2^32 - 1. */
  epoch: number;
  /** 32 bytes. */
  message: Bytes;
  signature: Bytes;
}

export interface XmssVerifiers {
  /** The names of all parameter sets. */
  readonly parameterSets: readonly string[];
  /** Throws `InvalidSignature`, `Malformed` for bytes that are no key, message or signature, or `NoEncoding`. */
  verify(claim: XmssClaim): void;
  /** A result for each claim; malformed ones are bad. */
  verifyMany(claims: XmssClaim[]): boolean[];
}

/** Which signatures are accepted where implementations differ. */
export type Ed25519Profile = "strict" | "zip215" | "rfc8032" | "cofactorless" | "zig-std";

/** That a key signed a message. */
export interface Ed25519Claim {
  publicKey: Bytes;
  message: Bytes;
  signature: Bytes;
}

/** The rule; `strict` unless told. */
export interface Ed25519Options {
  profile?: Ed25519Profile;
}

/** What Ed25519ctx and Ed25519ph (RFC 8032 section 5.1) sign beside the message. Neither: plain Ed25519. */
export interface Ed25519Kind {
  /** 1 to 255 bytes: Ed25519ctx; with `prehash` from none on. */
  context?: Bytes;
  /** Ed25519ph, which signs the SHA-512 of the message. */
  prehash?: boolean;
}

export interface Ed25519Verifiers {
  /** The names of all profiles. */
  readonly profiles: readonly Ed25519Profile[];
  /** Throws `InvalidSignature`. */
  verify(claim: Ed25519Claim & Ed25519Kind & Ed25519Options): void;
  /** Why a signature does not verify; `null` if it does. */
  explain(claim: Ed25519Claim & Ed25519Options): string | null;
  /** A result for each claim. */
  verifyMany(claims: Ed25519Claim[], options?: Ed25519Options): boolean[];
  /** One answer for all: throws `InvalidSignature` if any is bad. */
  verifyBatch(claims: Ed25519Claim[], options?: Ed25519Options): void;
}

export type LigeritoProfile = "balanced" | "compact";

/** Elements of GF(2^128): integers below 2^128, or 16 little-endian bytes for each. */
export type Elements = bigint[] | Uint8Array;

/** Which commitments a verifier accepts: of one profile and size, or of some profiles up to a size. */
export type Accepted =
  | { profile: LigeritoProfile; variables: number }
  | { profiles: LigeritoProfile[]; maxVariables: number };

export interface LigeritoStatement {
  accepted: Accepted;
  /** 34 bytes. */
  commitment: Bytes;
  /** That the polynomial has a value at a point. */
  claims: { point: Elements; value: bigint }[];
  proof: Bytes;
  /** What the proof was bound to. */
  context?: Bytes;
}

/** Of a polynomial whose words hold bits or bytes. */
export interface LigeritoPlanesStatement extends Omit<LigeritoStatement, "claims"> {
  /** That the words' bits have these 32 planes at a point, that of bit 0 first. */
  claims: { point: Elements; planes: Elements }[];
}

/** A proof of the published crate `ligerito` 0.8.0. */
export interface RefV08Statement {
  /** log2 of the number of coefficients. */
  variables: number;
  /** The crate's table of sizes; `published` unless told. */
  sizes?: "published" | "autosized";
  /** `sha256` unless told. */
  transcript?: "sha256" | "merlin";
  /** 32 bytes. */
  root: Bytes;
  /** That a coefficient has a value. */
  claims?: { index: number | bigint; value: number }[];
  proof: Bytes;
}

export interface LigeritoVerifiers {
  /** The names of all profiles. */
  readonly profiles: readonly LigeritoProfile[];
  /** Throws an error with the name of the check that failed, such as `MerkleRoot`. */
  verify(statement: LigeritoStatement): void;
  /** The same for all planes at points, with a proof of `openPlanes`. */
  verifyPlanes(statement: LigeritoPlanesStatement): void;
  /**
   * The value of a polynomial of small coefficients, from the planes at a point: `low` are the coordinates inside a word (five for
   * bits, two for bytes, one for words of 16 bits), `basis` what each bit of a coefficient stands for (`[1n]` for bits,
   * `aesBasis()` for bytes). Throws `BasisLength`.
   */
  valueOfPlanes(low: Elements, basis: Elements, planes: Elements): bigint;
  /** The images of 1, x, ..., x^7 of the field of AES. */
  aesBasis(): bigint[];
  /** The same as `verify` for proofs of the published crate. */
  verifyRefV08(statement: RefV08Statement): void;
}
