//! The command line as its users see it: transcripts, exit codes, files.

#[cfg(feature = "aggregate")]
mod aggregate;
mod bench;
mod ed25519;
mod ed25519_convert;
mod ed25519_files;
mod ed25519_many;
#[cfg(unix)]
mod fail_closed;
mod foreign;
mod foreign_folder;
mod garbage;
#[cfg(unix)]
mod key;
mod keygen;
#[cfg(unix)]
mod ledger;
#[cfg(unix)]
mod ledger_places;
mod ligerito;
// With what stands on Linux: options of base64, head and wc.
#[cfg(target_os = "linux")]
mod newcomer;
#[cfg(all(unix, feature = "postgres"))]
mod postgres;
#[cfg(unix)]
mod protection;
#[cfg(all(unix, feature = "remote"))]
mod remote;
mod rescue;
#[cfg(unix)]
mod resume;
mod selftest;
#[cfg(all(unix, feature = "remote", feature = "serve"))]
mod serve;
#[cfg(unix)]
mod short;
mod sign_verify;
mod support;
mod tools;
mod transcripts;
mod verify_many;
mod xmss_blake2s;
