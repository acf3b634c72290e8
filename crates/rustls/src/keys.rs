//! Keys that sign handshakes.

use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use phalanx_ed25519::{Error as KeyError, SigningKey};
use rustls::crypto::KeyProvider;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::Signer;
use rustls::{Error, SignatureAlgorithm, SignatureScheme};

/// A key of Ed25519 that signs handshakes, for `CertifiedKey` and what resolves certificates. Clones share one key, which is wiped
/// when the last of them is dropped.
#[derive(Clone)]
pub struct Ed25519Key(Arc<SigningKey>);

impl From<SigningKey> for Ed25519Key {
    fn from(key: SigningKey) -> Self {
        Self(Arc::new(key))
    }
}

/// Says the public half alone.
impl fmt::Debug for Ed25519Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ed25519Key").field(self.0.verifying_key()).finish()
    }
}

impl rustls::sign::SigningKey for Ed25519Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&SignatureScheme::ED25519).then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(self.0.verifying_key().to_spki_der().into())
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ED25519
    }
}

impl Signer for Ed25519Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.0.sign(message).to_bytes().to_vec())
    }

    fn scheme(&self) -> SignatureScheme {
        SignatureScheme::ED25519
    }
}

/// Reads keys of Ed25519, and hands the others on.
#[derive(Debug)]
pub(crate) struct Keys {
    pub(crate) others: &'static dyn KeyProvider,
}

impl KeyProvider for Keys {
    fn load_private_key(
        &self,
        key_der: PrivateKeyDer<'static>,
    ) -> Result<Arc<dyn rustls::sign::SigningKey>, Error> {
        if let PrivateKeyDer::Pkcs8(pkcs8) = &key_der {
            match SigningKey::from_pkcs8_der(pkcs8.secret_pkcs8_der()) {
                Ok(key) => return Ok(Arc::new(Ed25519Key::from(key))),
                // Its form is Ed25519's: nobody else is asked.
                Err(why @ KeyError::KeyMismatch) => return Err(Error::General(format!("{why}"))),
                Err(_) => {}
            }
        }
        self.others.load_private_key(key_der)
    }
}
