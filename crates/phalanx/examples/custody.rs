//! A key that never signs an epoch twice: `cargo run --release -p phalanx --features custody --example custody`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

/// Ledgers are for Unix systems.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    #[cfg(unix)]
    signer::main()?;
    Ok(())
}

#[cfg(unix)]
mod signer {
    use phalanx::Inline;
    use phalanx::custody::keystore::file::{self, Access};
    use phalanx::custody::keystore::{Derivation, KeySecret, NewKey, Password, Policy, Role, SealedFile};
    use phalanx::custody::ledger::durable::{LedgerOptions, NewLedger, WitnessFolder};
    use phalanx::custody::ledger::sqlite::SqliteLedger;
    use phalanx::custody::ledger::{EpochLedger, GuardError, Guarded, InitialState, Refused, xmss_instance};
    use phalanx::xmss::{Format, ParameterSet, SigningKey};
    use std::error::Error;
    use std::path::Path;
    use std::sync::Arc;

    pub(super) fn main() -> Result<(), Box<dyn Error>> {
        // Everything is in a folder here, which goes again; a real one stays, and its side log is best on another disk.
        let folder = std::env::temp_dir().join(format!("phalanx-custody-{}", std::process::id()));
        let ledger =
            LedgerOptions::new(folder.join("ledger")).witness(WitnessFolder::At(folder.join("witness")));
        // Containers have their files on an overlay, which is allowed by name only.
        let ledger = ledger.allow_file_system("overlay");
        let (keystore, password) =
            (folder.join("keys/attester.json"), Password::from_bytes(b"from a file or a prompt")?);
        let done = make(&ledger, &keystore, &password).and_then(|()| run(&ledger, &keystore, &password));
        std::fs::remove_dir_all(&folder)?;
        done
    }

    /// Once in the life of the key: a program that made its ledger at every start would begin anew after a loss.
    fn make(ledger: &LedgerOptions, keystore: &Path, password: &Password) -> Result<(), Box<dyn Error>> {
        // Real seeds come from the operating system.
        let seed = [7; 32];
        let key = SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &seed, 0..256)?;
        SqliteLedger::create(ledger, NewLedger::default())?;
        let ledger = SqliteLedger::open(ledger)?;
        // Registered first, written then: a crash between leaves a key without a file, never one without state.
        let public_key = key.verifying_key().to_bytes(Format::Ssz);
        ledger.register(&xmss_instance(&key, Role::Attester.name()), &public_key, InitialState::New)?;
        let secret = KeySecret::from_seed(&seed);
        let new = NewKey::of_xmss_key(&key, &secret, Role::Attester, "an example")?;
        Ok(file::create(keystore, &SealedFile::new(&new, password, Derivation::default())?)?)
    }

    /// At every start of the signer.
    fn run(ledger: &LedgerOptions, keystore: &Path, password: &Password) -> Result<(), Box<dyn Error>> {
        let ledger = Arc::new(SqliteLedger::open(ledger)?);
        let open = file::read(keystore, Access::default())?.open(password, Policy::default())?;
        let key = Guarded::new(open.signing_key_on(&Inline, None)?, ledger)?;
        let first = key.answer(3, &[1; 32])?;
        let again = key.answer(3, &[1; 32])?;
        key.verifying_key().verify(3, &[1; 32], &first.signature)?;
        println!("signed: repeated {}, and again: repeated {}", first.repeated, again.repeated);
        match key.answer(3, &[2; 32]) {
            Err(GuardError::Refused(Refused::EpochUsed)) => {
                println!("another message: {}", Refused::EpochUsed)
            }
            Err(other) => return Err(other.into()),
            Ok(_) => return Err("the epoch signs twice".into()),
        }
        Ok(())
    }
}
