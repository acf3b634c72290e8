// Writes the demo's examples, from the shared vectors: node make-examples.js VECTORS FILE
import { readFileSync, writeFileSync } from "node:fs";

const [vectors, out] = process.argv.slice(2);
const file = (path) => readFileSync(`${vectors}/${path}`);
const json = (path) => JSON.parse(file(path).toString());

const [key] = json("xmss/p2-top-l32-d64b8.e2e.json");
const [signed] = key.signatures;
const { cases } = json("ed25519/rfc8032.json");
const ed = cases.find(({ id }) => id === "TEST-3");
const [own] = json("ligerito-own/proof_16.json");
const profile = own.profile.toString(16).padStart(2, "0");
const aggregated = json("aggregate/cases.json").find(({ verdict }) => verdict === "accept");
const variables = own.mu.toString(16).padStart(2, "0");

const examples = {
  xmss: {
    set: "xmss-poseidon2-l32-d64b8",
    publicKey: key.pk_ssz,
    epoch: signed.epoch,
    message: signed.message,
    signature: signed.sig_ssz,
  },
  ed25519: { profile: "strict", publicKey: ed.pk, message: ed.msg, signature: ed.sig },
  ligerito: {
    commitment: profile + variables + own.root0,
    claims: own.claims.map(({ point, value }) => `${point.join(",")} = ${value}`).join("\n"),
    context: own.ctx_hex,
    proof: file(`ligerito-own/${own.proof_file}`).toString("hex"),
  },
  aggregate: {
    statement: file(`aggregate/${aggregated.statement}`).toString("hex"),
    context: aggregated.context_hex,
    aggregate: file(`aggregate/${aggregated.aggregate}`).toString("hex"),
  },
};
writeFileSync(out, JSON.stringify(examples));
