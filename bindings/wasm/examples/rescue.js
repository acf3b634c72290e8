// Hash the rows of a table, make a Merkle tree of them, open a row, verify; another row is refused.
// `node rescue.js`, in a folder where the package is installed.
import { load, toHex } from "@phalanx-crypto/phalanx";

const { rescue } = await load();
const fn = "rescue-rp64-256";
const table = Array.from({ length: 16 }, (_, row) => Array.from({ length: 20 }, (_, column) => BigInt(row * 1000 + column)));

// A row becomes a leaf; every level has the digests of each two neighbours below.
const levels = [rescue.hashElementsMany(fn, table)];
for (let below = levels[0]; below.length > 1; below = levels[levels.length - 1]) {
  levels.push(Array.from({ length: below.length / 2 }, (_, i) => rescue.merge(fn, below[2 * i], below[2 * i + 1])));
}
const root = toHex(levels[4][0]);
const opened = 5;
// A path has the sibling on every level, lowest first.
const path = levels.slice(0, 4).map((level, height) => level[(opened >> height) ^ 1]);

// What travels is the row and its path. The verifier has the root, and knows how large the table is.
const verifies = () => {
  let node = rescue.hashElements(fn, table[opened]);
  path.forEach((sibling, height) => {
    node = (opened >> height) & 1 ? rescue.merge(fn, sibling, node) : rescue.merge(fn, node, sibling);
  });
  return toHex(node) === root;
};
if (!verifies()) throw new Error("the row is not in the table");
table[opened][0] += 1n;
if (verifies()) throw new Error("a changed row is in the table");
console.log(`row ${opened} opens with ${path.length} digests under ${root}, a changed one does not`);
