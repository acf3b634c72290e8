//! Key generation from a seed, and the key in every format.

use super::vector::{Context, KeyVector, format_of};
use crate::files::VectorFile;
use crate::progress::Watch;
use crate::report::{Check, Recorder, ensure, same, text};
use crate::xmss::intermediate::same_layers;
use phalanx::Threads;
use phalanx::xmss::{Format, KeyGeneration, ParameterSet, SigningKey, VerifyingKey, hazmat};
use std::ops::ControlFlow;

/// Lifetimes up to this many epochs are generated on every backend, longer ones on the fastest only.
const SHORT_LIFETIME: u64 = 1 << 8;

/// The key of `vector`, generated on all threads.
pub(crate) fn key(
    set: ParameterSet,
    vector: &KeyVector,
    threads: &Threads,
    watch: &Watch,
) -> Result<SigningKey, String> {
    let start = vector.requested_activation_epoch;
    let end =
        start.checked_add(vector.requested_active_epochs).ok_or("the requested epochs do not fit 64 bits")?;
    let mut generation = KeyGeneration::from_seed(set, &vector.seed.0, start..end).map_err(text)?;
    let progress = |progress| {
        watch.show(progress);
        ControlFlow::Continue(())
    };
    while generation.step_on(threads, &progress).map_err(text)?.is_some() {}
    watch.clear();
    generation.finish().map_err(text)
}

/// Checks the generated key against everything the file says about it.
pub(crate) fn run(recorder: &mut Recorder<'_>, context: &Context<'_>, file: &VectorFile) {
    let Context { set, vector, key: generated, .. } = *context;
    recorder.case_once(context.part("profile"), || same("profile", vector.profile.as_str(), set.profile()));
    recorder.case_once(context.part("key"), || check_key(context));
    if set.lifetime() <= SHORT_LIFETIME {
        let wanted = generated.to_bytes(Format::Ssz);
        recorder.case(context.part("key generation"), || {
            let again = key(set, vector, &Threads::new(1), &Watch::new(false))?;
            ensure(*again.to_bytes(Format::Ssz) == *wanted, "backends generate different keys")
        });
    }
    for (format, bytes) in vector.public_forms() {
        recorder.case_once(context.part(&format!("public key in {format}")), || {
            same("bytes", &context.public.to_bytes(format), &bytes.0)?;
            let decoded = VerifyingKey::from_bytes(set, format, &bytes.0).map_err(text)?;
            same("decoded key", decoded, context.public)
        });
    }
    for (format, ..) in vector.secret_forms() {
        recorder.case_once(context.part(&format!("secret key in {format}")), || {
            let bytes = generated.to_bytes(format);
            vector.check_secret_form(format, &bytes)?;
            let decoded = SigningKey::from_bytes(set, format, &bytes).map_err(text)?;
            ensure(*decoded.to_bytes(format) == *bytes, "decoding and encoding change the key")
        });
    }
    for name in &vector.sk_files {
        recorder.case_once(context.part(&format!("sk_files {name}")), || key_file(context, file, name));
    }
}

fn check_key(context: &Context<'_>) -> Check {
    let Context { vector, key, ref public, .. } = *context;
    same("parameter", hazmat::parameter_of(public), vector.parameter)?;
    same("PRF key", hazmat::expose_prf_key(key), vector.prf_key.0)?;
    same("root", &hazmat::root_of(public), &vector.root)?;
    let (index, [left, right]) = hazmat::bottom_tree_roots(key);
    same("left bottom tree", index, vector.left_bottom_tree_index)?;
    same("root of the left bottom tree", &left, &vector.left_bottom_tree_root)?;
    same("root of the right bottom tree", &right, &vector.right_bottom_tree_root)?;
    let [start, end] = vector.activation_interval;
    same("activation interval", key.activation_interval(), start..end)?;
    let [start, end] = vector.prepared_interval;
    same("prepared interval", key.prepared_interval(), start..end)?;
    match &vector.top_tree_layers {
        Some(layers) => same_layers(&hazmat::top_tree_layers(key), layers),
        None => Ok(()),
    }
}

/// A file that the vector names holds exactly the generated key.
fn key_file(context: &Context<'_>, file: &VectorFile, name: &str) -> Check {
    let format = name.rsplit_once('.').and_then(|(_, extension)| format_of(extension));
    let format = format.ok_or("the name does not say a known format")?;
    let bytes = file.beside(name)?;
    ensure(bytes == *context.key.to_bytes(format), "the file does not hold the generated key")
}
