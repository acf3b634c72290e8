//! Writes `vectors/compressions`: proofs about compressions of SHA-256 by the plain implementation.
//! `cargo run --release -p phalanx-reference --example sha256_vectors -- FOLDER`; some minutes.
//!
//! Inputs are drawn by splitmix64 from the seeds below, so the same bytes come out on every machine.

use phalanx_reference::aggregate::compressions::{Function, Public, Statement, prove, verify};
use phalanx_reference::aggregate::{Suite, compress};
use phalanx_reference::ligerito::U192;
use phalanx_reference::xmss_blake2s::blake2s;
use serde_json::{Value, json};
use std::path::Path;

/// The file, and the context that every proof is bound to.
const FILE: &str = "sha256.json";
const CONTEXT: &[u8] = b"context";

/// splitmix64.
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((x ^ x >> 31) >> 32).expect("32 bits")
    }
}

/// A compression with what a mask makes public.
fn public(function: &Function, inputs: &[u32], mask: u32) -> Public {
    let words = compress(&function.circuit, &function.inputs(inputs));
    let slots = words.chunks(4).take(function.public_slots).enumerate();
    slots.map(|(slot, words)| (mask >> slot & 1 == 1).then(|| bytes_of(words))).collect()
}

fn bytes_of(words: &[u32]) -> [u8; 16] {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    bytes.try_into().expect("four words")
}

/// The case of these compressions with these masks; its proof goes to a file if `keep`.
fn case<N: Suite>(folder: &Path, name: &str, inputs: &[Vec<u32>], masks: &[u32], keep: bool) -> Value {
    let function = Function::sha256();
    let blocks = inputs.iter().zip(masks).map(|(inputs, mask)| public(&function, inputs, *mask)).collect();
    let statement = Statement { function, blocks };
    let proof = prove::<N>(&statement, inputs, CONTEXT).expect("a registered size");
    verify::<N>(inputs.len(), &statement, CONTEXT, &proof).expect("what is proved verifies");
    let file = format!("{name}-{}.bin", N::PROFILE);
    if keep {
        std::fs::write(folder.join(&file), &proof).expect("the folder can be written to");
    }
    let hex_of = |words: &Vec<u32>| words.iter().map(|word| format!("{word:08x}")).collect::<String>();
    json!({
        "name": format!("{name}, profile {}", N::PROFILE),
        "profile": N::PROFILE,
        "context_hex": hex::encode(CONTEXT),
        "inputs_hex": inputs.iter().map(hex_of).collect::<Vec<_>>(),
        "statement_hex": hex::encode(statement.to_bytes()),
        "proof_len": proof.len(),
        "blake2s_of_proof": hex::encode(blake2s(&[], &proof)),
        "proof": keep.then_some(file),
    })
}

/// The one block of a message of 32 bytes, behind the state before it (FIPS 180-4, sections 5.1.1 and 5.3.3).
fn of_message(message: [u8; 32]) -> Vec<u32> {
    let mut block = [0; 64];
    block[..32].copy_from_slice(&message);
    block[32] = 0x80;
    block[56..].copy_from_slice(&256_u64.to_be_bytes());
    let start: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let words = block.chunks(4).map(|bytes| u32::from_be_bytes(bytes.try_into().expect("four bytes")));
    start.into_iter().chain(words).collect()
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder to write to");
    let folder = Path::new(&folder);
    let mut draw = Draw(18);
    let preimages: Vec<Vec<u32>> = [1, 2, 3].map(|byte| of_message([byte; 32])).to_vec();
    // The message's two slots are hidden.
    let hidden = [0xf3; 3];
    let five: Vec<Vec<u32>> = (0..5).map(|_| (0..24).map(|_| draw.word()).collect()).collect();
    let masks = [0xff, 0, 0xc0, 0x3f, draw.word() & 0xff];
    let cases = [
        case::<u128>(folder, "sha256-preimages", &preimages, &hidden, true),
        case::<U192>(folder, "sha256-preimages", &preimages, &hidden, true),
        case::<u128>(folder, "sha256-five", &five, &masks, false),
        case::<U192>(folder, "sha256-five", &five, &masks, false),
    ];
    let text = serde_json::to_string_pretty(&cases).expect("values are written");
    std::fs::write(folder.join(FILE), text + "\n").expect("the folder can be written to");
}
