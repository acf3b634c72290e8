// Types of `@phalanx-crypto/phalanx/aggregate`: the verifier of aggregates, in a module of its own.

import type { Bytes, LoadOptions } from "./verify.js";

export { DecodingError, fromHex, PhalanxError, toHex, VerificationError } from "./verify.js";

/** Starts the verifier, once. It has one build, `@phalanx-crypto/phalanx/aggregate-scalar.wasm`. */
export function load(options?: Pick<LoadOptions, "module">): Promise<Aggregates>;

/** How many bits of security are proved. 100 are fewer than the signatures have themselves: there is no default. */
export type AggregateProfile = "aggregate-v1-provable100" | "aggregate-v1-provable128";

/** Keys that signed one message at one epoch. */
export interface AggregateGroup {
  /** From 0 to 2^32 - 1. */
  epoch: number;
  /** 32 bytes. */
  message: Uint8Array;
  /** Verifying keys of `xmss-blake2s-l32-d42b8`, 32 bytes each. */
  keys: Uint8Array[];
}

/** What an aggregate says: for every group and every key of it somebody knows a signature that verifies. */
export interface AggregateStatement {
  /** Strictly increasing by epoch, then message; the keys of each strictly increasing. */
  groups: AggregateGroup[];
  /**
   * Pairs of signatures, by their numbers in the statement's order, of one key at one epoch for different messages: the
   * signer has broken its key. The statement is true all the same.
   */
  equivocations: [number, number][];
}

/** An aggregate, what it is about, and what is accepted of it. */
export interface AggregateClaim {
  /** Which profiles, and how many signatures at most: 1846 unless told. */
  accepted: { profiles: AggregateProfile[]; maxSignatures?: number };
  /** The statement's bytes. */
  statement: Bytes;
  aggregate: Bytes;
  /** What the aggregate was bound to. */
  context?: Bytes;
}

export interface Aggregates {
  /** The version of the package. */
  readonly version: string;
  /** The names of both profiles. */
  readonly profiles: readonly AggregateProfile[];
  /**
   * Throws a `VerificationError` with the name of the check that failed, such as `Wiring`, or a `DecodingError` if the
   * statement is none.
   */
  verify(claim: AggregateClaim): void;
  /** What the bytes of a statement say. Throws `StatementLength`, `KeyOrder`, ... */
  statement(statement: Bytes): AggregateStatement;
  /** The bytes of the statement about some groups, in any order. */
  statementOf(groups: { epoch: number; message: Bytes; keys: Bytes[] }[]): Uint8Array;
}
