// Types of `@phalanx-crypto/phalanx`: everything.
import type {
  Bytes,
  Ed25519Kind,
  Ed25519Verifiers,
  Elements,
  LigeritoProfile,
  LigeritoStatement,
  LigeritoVerifiers,
  LoadOptions,
  Verifiers,
  XmssFormat,
  XmssVerifiers,
} from "./verify.js";

export type * from "./verify.js";

/** Whether this engine runs vectors of 128 bits. */
export function hasSimd(): boolean;

export { DecodingError, PhalanxError, VerificationError, fromHex, toHex } from "./verify.js";

/** Starts the package. Each build starts once; later calls give the same. */
export function load(options?: LoadOptions): Promise<Phalanx>;

export interface Phalanx extends Verifiers {
  readonly xmss: Xmss;
  readonly ed25519: Ed25519;
  readonly rescue: Rescue;
  readonly ligerito: Ligerito;
  /** Ed25519 as `crypto.subtle` has it. */
  readonly subtle: Subtle;
  /** What some bytes are: every key, signature, commitment or proof they can be. `file` is what commands call them. */
  identify(input: Bytes, file?: string): Report;
  /** A command of the command line tool to try next, for what was read otherwise; nothing for a kind that it does not know. */
  nextCommand(reading: Pick<Reading, "kind" | "scheme" | "format">, file?: string): string | undefined;
}

/** Consecutive epochs: the first, and the first after them. */
export interface Interval {
  start: number;
  end: number;
}

/** A key in the module's memory. `free` wipes it; so does `using`, where the engine has it. */
interface Key {
  free(): void;
}

/** A JSON Web Key of Ed25519 (RFC 8037): `d` is secret. */
export interface Ed25519Jwk {
  kty: string;
  crv: string;
  x: string;
  d?: string;
}

export interface Ed25519SigningKey extends Key {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The key file: PKCS#8 version 1 in DER or PEM, OpenSSH's private file, or a private JSON Web Key. */
  export(format: "pkcs8"): Uint8Array;
  export(format: "pem" | "openssh"): string;
  export(format: "jwk"): Ed25519Jwk;
  /** The 32 secret bytes. */
  toSeed(): Uint8Array;
  /** 64 bytes. Throws `ContextTooLong`; `ContextEmpty` for Ed25519ctx with no bytes. */
  sign(message: Bytes, kind?: Ed25519Kind): Uint8Array;
}

export interface Ed25519 extends Ed25519Verifiers {
  readonly SigningKey: {
    /** A new key, from `crypto.getRandomValues`. */
    generate(): Ed25519SigningKey;
    /** The key of 32 secret bytes. */
    fromSeed(seed: Bytes): Ed25519SigningKey;
    /** Reads a key file without a passphrase. Throws `InvalidKeyFormat`, `KeyMismatch` or `EncryptedKey`. */
    import(format: "pkcs8", file: Bytes): Ed25519SigningKey;
    import(format: "pem" | "openssh", file: string | Bytes): Ed25519SigningKey;
    import(format: "jwk", file: Ed25519Jwk | string): Ed25519SigningKey;
    /** Whichever of these it is. */
    import(format: "any", file: Ed25519Jwk | string | Bytes): Ed25519SigningKey;
  };
  /** The 32 bytes of the public key in a file: SPKI in DER or PEM, OpenSSH's line, a public JSON Web Key. */
  importPublicKey(format: "raw" | "spki", file: Bytes): Uint8Array;
  importPublicKey(format: "pem" | "openssh", file: string | Bytes): Uint8Array;
  importPublicKey(format: "jwk", file: Ed25519Jwk | string): Uint8Array;
  /** Whichever of these it is. */
  importPublicKey(format: "any", file: Ed25519Jwk | string | Bytes): Uint8Array;
  /** The file of a public key of 32 bytes. Throws `InvalidPublicKey`. */
  exportPublicKey(format: "raw" | "spki", publicKey: Bytes): Uint8Array;
  exportPublicKey(format: "pem" | "openssh", publicKey: Bytes): string;
  exportPublicKey(format: "jwk", publicKey: Bytes): Ed25519Jwk;
}

/** As WebCrypto's `CryptoKey`, without the constructor. */
export interface SubtleKey {
  readonly type: "private" | "public";
  readonly extractable: boolean;
  readonly algorithm: { readonly name: "Ed25519" };
  readonly usages: readonly ("sign" | "verify")[];
  /** Wipes a private key; a public one has nothing to wipe. */
  free(): void;
}

/** A JSON Web Key with what it may be used for. */
export interface SubtleJwk extends Ed25519Jwk {
  key_ops?: string[];
  ext?: boolean;
  use?: string;
}

type SubtleAlgorithm = "Ed25519" | { name: "Ed25519" };

/**
 * Ed25519 in the shape of WebCrypto's `SubtleCrypto`: the same arguments, promises, `DOMException`s and a boolean of
 * `verify`. Signatures are judged by the profile `strict`. For engines whose own has no Ed25519; keys are no `CryptoKey`s.
 */
export interface Subtle {
  generateKey(
    algorithm: SubtleAlgorithm,
    extractable: boolean,
    usages: readonly ("sign" | "verify")[],
  ): Promise<{ privateKey: SubtleKey; publicKey: SubtleKey }>;
  importKey(
    format: "raw" | "pkcs8" | "spki",
    data: Bytes,
    algorithm: SubtleAlgorithm,
    extractable: boolean,
    usages: readonly ("sign" | "verify")[],
  ): Promise<SubtleKey>;
  importKey(
    format: "jwk",
    data: SubtleJwk,
    algorithm: SubtleAlgorithm,
    extractable: boolean,
    usages: readonly ("sign" | "verify")[],
  ): Promise<SubtleKey>;
  exportKey(format: "raw" | "pkcs8" | "spki", key: SubtleKey): Promise<ArrayBuffer>;
  exportKey(format: "jwk", key: SubtleKey): Promise<SubtleJwk>;
  sign(algorithm: SubtleAlgorithm, key: SubtleKey, data: Bytes): Promise<ArrayBuffer>;
  verify(algorithm: SubtleAlgorithm, key: SubtleKey, signature: Bytes, data: Bytes): Promise<boolean>;
}

/** How a key is made. */
export interface XmssGeneration {
  set: string;
  /** First active epoch; 0 unless told. */
  start?: number;
  /** Active epochs. The interval is rounded outwards to whole bottom trees, at least two; over BLAKE2s it is as asked. */
  count: number;
  /** 32 secret bytes; from `crypto.getRandomValues` unless told. */
  seed?: Bytes;
  /** Called now and then; giving `false` stops the work with the error `Unfinished`. */
  onProgress?: (leavesDone: number, leavesTotal: number) => boolean | void;
}

export interface XmssSigningKey extends Key {
  readonly parameterSet: string;
  readonly activation: Interval;
  readonly prepared: Interval;
  publicKey(options?: { format?: XmssFormat }): Uint8Array;
  /** The secret key's bytes. */
  toBytes(options?: { format?: XmssFormat }): Uint8Array;
  /** Signs 32 bytes. An epoch signs one message; the record of that ends with the page. */
  sign(epoch: number, message: Bytes, options?: { format?: XmssFormat }): Uint8Array;
}

export interface Xmss extends XmssVerifiers {
  readonly SigningKey: {
    generate(generation: XmssGeneration): XmssSigningKey;
    fromBytes(set: string, secret: Bytes, options?: { format?: XmssFormat }): XmssSigningKey;
  };
}

export type RescueFunction = "rescue-rp64-256" | "rescue-jive-256" | "rpo-256" | "rpx-256";

/** Words of 64 bits: an array of them, or integers below 2^64. */
export type Words = BigUint64Array | bigint[];

/** Elements are any 64-bit words, taken modulo 2^64 - 2^32 + 1; digests are 32 bytes. */
export interface Rescue {
  /** The names of all functions. */
  readonly functions: readonly RescueFunction[];
  /** New states for whole ones. */
  permute(fn: RescueFunction, states: Words): BigUint64Array;
  /** Shares digests with `hash` (Rp64_256 and Jive) and `merge` (all but Jive): use one form in one domain. */
  hashElements(fn: RescueFunction, elements: Words): Uint8Array;
  hashElementsMany(fn: RescueFunction, inputs: Words[]): Uint8Array[];
  /** Throws `UndefinedLength` where Rp64_256 has no answer. */
  hash(fn: RescueFunction, input: Bytes): Uint8Array;
  /**
   * For any number of bytes. Rp64_256 shares digests between this form and others: of 62 bytes it is `hash` of these and
   * a byte 1. Use one form in one domain.
   */
  hashPadded(fn: RescueFunction, input: Bytes): Uint8Array;
  merge(fn: RescueFunction, left: Bytes, right: Bytes): Uint8Array;
}

/** A polynomial opened at points. */
export interface Opening {
  commitment: Uint8Array;
  /** The value at each point. */
  values: bigint[];
  /** One proof for all. */
  proof: Uint8Array;
}

/**
 * Coefficients: elements of GF(2^32), or bits, bytes and other unsigned integers, which are the words of 32 bits that their memory
 * holds, the lowest bit first.
 */
export type Polynomial = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

/** Of several polynomials. */
export interface LigeritoTogetherStatement extends Omit<LigeritoStatement, "commitment" | "claims"> {
  /** 34 bytes each. */
  commitments: Bytes[];
  /** That a polynomial has a value at a point; `commitment` is its place among them. */
  claims: { commitment: number; point: Elements; value: bigint }[];
}

/** Polynomials have 2^10 to 2^20 words of 32 bits. */
export interface Ligerito extends LigeritoVerifiers {
  /** 34 bytes. */
  commit(profile: LigeritoProfile, polynomial: Polynomial): Uint8Array;
  /** Commits and opens. */
  open(task: {
    /** `balanced` unless told. */
    profile?: LigeritoProfile;
    polynomial: Polynomial;
    points: Elements[];
    context?: Bytes;
  }): Opening;
  /** Commits, and opens all 32 planes at each point: of bit 0 first. */
  openPlanes(task: {
    profile?: LigeritoProfile;
    polynomial: Polynomial;
    points: Elements[];
    context?: Bytes;
  }): { commitment: Uint8Array; planes: bigint[][]; proof: Uint8Array };
  /** Commits to several polynomials, of 2^20 words together, and opens them with one proof; `commitment` is a place among them. */
  openTogether(task: {
    profile?: LigeritoProfile;
    polynomials: Polynomial[];
    points: { commitment: number; point: Elements }[];
    context?: Bytes;
  }): { commitments: Uint8Array[]; values: bigint[]; proof: Uint8Array };
  /** As `verify`, for several commitments, with a proof of `openTogether`. The verifiers alone do not have it. */
  verifyTogether(statement: LigeritoTogetherStatement): void;
}

/** One reading of some bytes. */
export interface Reading {
  /**
   * `public key`, `secret key`, `signature`, `commitment`, `proof`, `possible proof`, or a list of validators:
   * `validator keys manifest`, `annotated validators`, `genesis configuration`; `document`, if there are many in it.
   */
  kind: string;
  /** `certain`; `likely`, if other bytes seldom look like it; `possible`, if little but the length says so. */
  confidence: "certain" | "likely" | "possible";
  /** A command of the command line tool to try next; words in capitals are to be filled in. */
  next?: string;
  scheme?: string;
  format?: string;
  /** Whether the parameter set has no security. */
  insecure?: boolean;
  activation?: [number, number];
  prepared?: [number, number];
  /** In hexadecimal; SSZ where it is of XMSS. */
  publicKey?: string;
  root?: string;
  details: Record<string, string>;
}

export interface Report {
  /** None if the bytes are unknown. */
  readings: Reading[];
  problems: string[];
}
