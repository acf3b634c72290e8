// Chooses between the builds with and without SIMD, and starts one.

// A module of one function that gives a vector: valid exactly where SIMD is known.
const VECTOR_MODULE = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // magic and version
  1, 5, 1, 0x60, 0, 1, 0x7b, // a type: () -> v128
  3, 2, 1, 0, // a function of it
  10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b, // i32.const 0, i8x16.splat, end
);

/** Whether this engine runs vectors of 128 bits. */
export const hasSimd = () => WebAssembly.validate(VECTOR_MODULE);

/** The bytes of a file of this package: from the disk in Node, else from where the page's other files come from. */
async function read(url) {
  if (globalThis.process?.versions?.node && url.protocol === "file:") {
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname.split("/").pop()}: HTTP status ${response.status}`);
  return response.arrayBuffer();
}

/** A function that starts one of the builds, each once: with SIMD, or `scalar`, which is always there. */
export function loader(builds, api) {
  const started = new Map();
  return ({ simd = hasSimd(), module } = {}) => {
    const build = simd && builds.simd ? "simd" : "scalar";
    if (!started.has(build)) {
      const start = async () => {
        const { glue, wasm } = builds[build];
        const [bindings, compiled] = await Promise.all([glue(), module ?? read(wasm())]);
        await bindings.default({ module_or_path: compiled });
        return api(bindings, build);
      };
      const starting = start();
      started.set(build, starting);
      // What failed may be tried again.
      starting.catch(() => started.delete(build));
    }
    return started.get(build);
  };
}
