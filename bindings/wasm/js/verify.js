// The verifiers alone.
import { verifiers } from "./api.js";
import { loader } from "./load.js";

export { fromHex, toHex } from "./bytes.js";
export { DecodingError, PhalanxError, VerificationError } from "./errors.js";
export { hasSimd } from "./load.js";

/** Starts the verifiers: with SIMD where the engine has it, or as told. */
export const load = loader(
  {
    simd: {
      glue: () => import("./verify-simd/phalanx_wasm.js"),
      wasm: () => new URL("./verify-simd/phalanx_wasm_bg.wasm", import.meta.url),
    },
    scalar: {
      glue: () => import("./verify-scalar/phalanx_wasm.js"),
      wasm: () => new URL("./verify-scalar/phalanx_wasm_bg.wasm", import.meta.url),
    },
  },
  verifiers,
);
