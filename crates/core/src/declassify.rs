//! Where a secret becomes public.
//!
//! Signing is tested for constant time with the secrets marked as undefined memory under valgrind: then every branch
//! and every address that depends on them is reported. What the caller gets depends on them, too, and may be looked at:
//! [`declassify`] stands where that begins. It does nothing, except in a build with `--cfg phalanx_taint`, where it
//! calls what the test set.

/// Says that these bytes are public from here on.
#[cfg(not(phalanx_taint))]
#[inline(always)]
pub fn declassify(_: &mut [u8]) {}

/// Says that these bytes are public from here on.
#[cfg(phalanx_taint)]
pub fn declassify(bytes: &mut [u8]) {
    if let Some(hook) = HOOK.get() {
        hook(bytes);
    }
}

/// What `declassify` calls. Exists in a build with `--cfg phalanx_taint` only.
#[cfg(phalanx_taint)]
pub static HOOK: once_cell::race::OnceBox<fn(&mut [u8])> = once_cell::race::OnceBox::new();
