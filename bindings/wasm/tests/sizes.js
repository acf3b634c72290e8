// What the modules weigh, and that it is not too much: node sizes.js PACKAGE
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const KIB = 1024;
const LIMITS = { full: 536 * KIB, verify: 208 * KIB, aggregate: 112 * KIB };

const [folder] = process.argv.slice(2);
let heavy = 0;
for (const [part, limit] of Object.entries(LIMITS)) {
  for (const build of part === "aggregate" ? ["scalar"] : ["simd", "scalar"]) {
    const weigh = (file) => {
      const bytes = readFileSync(`${folder}/${part}-${build}/${file}`);
      return [bytes.length, gzipSync(bytes, { level: 9 }).length];
    };
    const [plain, zipped] = weigh("phalanx_wasm_bg.wasm");
    const [, glue] = weigh("phalanx_wasm.js");
    console.log(`${part}, ${build}: ${plain} bytes, gzip -9 ${zipped} of at most ${limit}; glue ${glue}`);
    if (zipped > limit) heavy += 1;
  }
}
if (heavy) {
  console.error(`${heavy} modules are too heavy`);
  process.exit(1);
}
