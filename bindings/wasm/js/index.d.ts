// Types of `phalanx`: everything.
import type {
  Bytes,
  Ed25519Verifiers,
  Elements,
  LigeritoProfile,
  LigeritoVerifiers,
  LoadOptions,
  Verifiers,
  XmssFormat,
  XmssVerifiers,
} from "./verify.js";

export type * from "./verify.js";

/** Whether this engine runs vectors of 128 bits. */
export function hasSimd(): boolean;

/** Starts the package. Each build starts once; later calls give the same. */
export function load(options?: LoadOptions): Promise<Phalanx>;

export interface Phalanx extends Verifiers {
  readonly xmss: Xmss;
  readonly ed25519: Ed25519;
  readonly rescue: Rescue;
  readonly ligerito: Ligerito;
  /** What some bytes are: every key, signature, commitment or proof they can be. */
  identify(input: Bytes): Report;
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

export interface Ed25519SigningKey extends Key {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 32 secret bytes. */
  toSeed(): Uint8Array;
  /** 64 bytes. */
  sign(message: Bytes): Uint8Array;
}

export interface Ed25519 extends Ed25519Verifiers {
  readonly SigningKey: {
    /** A new key, from `crypto.getRandomValues`. */
    generate(): Ed25519SigningKey;
    /** The key of 32 secret bytes. */
    fromSeed(seed: Bytes): Ed25519SigningKey;
  };
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

/** Elements are any 64-bit words, taken modulo 2^64 - 2^32 + 1; digests are 32 bytes. */
export interface Rescue {
  /** The names of all functions. */
  readonly functions: readonly RescueFunction[];
  /** New states for whole ones. */
  permute(fn: RescueFunction, states: BigUint64Array): BigUint64Array;
  /** Shares digests with `hash` (Rp64_256 and Jive) and `merge` (all but Jive): use one form in one domain. */
  hashElements(fn: RescueFunction, elements: BigUint64Array): Uint8Array;
  hashElementsMany(fn: RescueFunction, inputs: BigUint64Array[]): Uint8Array[];
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

/** Polynomials have 2^10 to 2^20 coefficients, elements of GF(2^32). */
export interface Ligerito extends LigeritoVerifiers {
  /** 34 bytes. */
  commit(profile: LigeritoProfile, polynomial: Uint32Array): Uint8Array;
  /** Commits and opens. */
  open(task: {
    /** `balanced` unless told. */
    profile?: LigeritoProfile;
    polynomial: Uint32Array;
    points: Elements[];
    context?: Bytes;
  }): Opening;
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
