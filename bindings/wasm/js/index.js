// Everything. `@phalanx-crypto/phalanx/verify` has the verifiers alone, in a smaller module.
import { full } from "./api.js";
import { loader } from "./load.js";

export { fromHex, toHex } from "./bytes.js";
export { DecodingError, PhalanxError, VerificationError } from "./errors.js";
export { hasSimd } from "./load.js";

/** Starts the package: with SIMD where the engine has it, or as told. */
export const load = loader(
  {
    simd: {
      glue: () => import("./full-simd/phalanx_wasm.js"),
      wasm: () => new URL("./full-simd/phalanx_wasm_bg.wasm", import.meta.url),
    },
    scalar: {
      glue: () => import("./full-scalar/phalanx_wasm.js"),
      wasm: () => new URL("./full-scalar/phalanx_wasm_bg.wasm", import.meta.url),
    },
  },
  full,
);
