// The verifier of aggregates, in a module of its own: those who are given none need not fetch it.
import { callingAll, verifyingAggregates } from "./errors.js";
import { bytes, integer, joined, list, object, text } from "./given.js";
import { loader } from "./load.js";

export { fromHex, toHex } from "./bytes.js";
export { DecodingError, PhalanxError, VerificationError } from "./errors.js";

function aggregates(glue) {
  return Object.freeze(
    callingAll({
      version: glue.version(),
      profiles: Object.freeze(glue.aggregateProfiles()),
      verify: verifyingAggregates((claim) => {
        const { accepted, statement, aggregate, context = new Uint8Array() } = object("claim", claim);
        const { profiles, maxSignatures = glue.aggregateDefaultSignatures() } = object("accepted", accepted);
        glue.aggregateVerify(
          list("profiles", profiles).map((name) => text("profile", name)).join(),
          integer("maxSignatures", maxSignatures, 2 ** 32),
          bytes("statement", statement),
          bytes("context", context),
          bytes("aggregate", aggregate),
        );
      }),
      statement: (statement) => glue.aggregateStatement(bytes("statement", statement)),
      statementOf(groups) {
        const each = list("groups", groups).map((group) => object("group", group));
        const keys = each.map((group) => list("keys", group.keys).map((key) => bytes("key", key)));
        return glue.aggregateStatementOf(
          Uint32Array.from(each, ({ epoch }) => integer("epoch", epoch, 2 ** 32)),
          joined(each.map(({ message }) => bytes("message", message))),
          Uint32Array.from(keys, ({ length }) => length),
          joined(keys.flat()),
        );
      },
    }),
  );
}

/** Starts the verifier of aggregates. */
export const load = loader(
  {
    scalar: {
      glue: () => import("./aggregate-scalar/phalanx_wasm.js"),
      wasm: () => new URL("./aggregate-scalar/phalanx_wasm_bg.wasm", import.meta.url),
    },
  },
  aggregates,
);
