//! What a client is made of: roots, certificate, token, time-outs.
#![forbid(unsafe_code)]

use super::endpoint::{Endpoint, Token};
use super::error::Error;
use core::time::Duration;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Proxy};

/// Where Unix systems keep the certificates they trust.
const STORES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Longest head of an answer, in bytes.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// Whom the client takes for the signer.
#[derive(Clone, Debug, Default)]
pub enum Roots {
    /// Whoever the system's own list of authorities vouches for.
    #[default]
    System,
    /// Whoever these authorities vouch for: certificates in PEM.
    Pem(Vec<u8>),
}

/// The certificate that the client shows, and its key.
pub struct Identity {
    /// Certificates in PEM, the client's own first.
    pub chain: Vec<u8>,
    /// Its key in PEM (PKCS#8, SEC 1 or PKCS#1). Wiped on drop.
    pub key: zeroize::Zeroizing<Vec<u8>>,
}

/// What a client is made with.
pub struct Options {
    /// Where the signer is.
    pub endpoint: Endpoint,
    /// Whom it is taken for.
    pub roots: Roots,
    /// The certificate that is shown, if any.
    pub identity: Option<Identity>,
    /// The token that is sent, if any.
    pub token: Option<Token>,
    /// How long a request may take, from the name look-up to the last byte of the answer.
    pub timeout: Duration,
}

impl Options {
    /// No certificate and no token; the system's authorities; 15 seconds, which is longer than a signer takes for
    /// anything.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self { endpoint, roots: Roots::System, identity: None, token: None, timeout: Duration::from_secs(15) }
    }

    /// What sends requests.
    pub(super) fn agent(&self) -> Result<Agent, Error> {
        let mut config = Agent::config_builder()
            .timeout_global(Some(self.timeout))
            .timeout_connect(Some(self.timeout.min(Duration::from_secs(5))))
            .http_status_as_error(false)
            // Nobody else is given the token.
            .max_redirects(0)
            .proxy(None::<Proxy>)
            .max_response_header_size(MAX_HEAD_BYTES)
            .user_agent(concat!("phalanx/", env!("CARGO_PKG_VERSION")));
        if self.endpoint.is_tls {
            config = config.https_only(true).tls_config(self.tls()?);
        } else if self.identity.is_some() || matches!(self.roots, Roots::Pem(_)) {
            return Err(Error::Setup("certificates are for https".to_owned()));
        }
        #[cfg(unix)]
        if let Some(path) = &self.endpoint.socket {
            use ureq::unversioned::resolver::DefaultResolver;
            let connector = super::socket::SocketConnector(path.clone());
            return Ok(Agent::with_parts(config.build(), connector, DefaultResolver::default()));
        }
        Ok(config.build().new_agent())
    }

    fn tls(&self) -> Result<TlsConfig, Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let roots = self.roots.certificates()?;
        let identity = match &self.identity {
            Some(identity) => Some(identity.client_certificate(&roots, &provider)?),
            None => None,
        };
        let roots: Vec<_> = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
        Ok(TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(provider)
            .root_certs(RootCerts::new_with_certs(&roots))
            .client_cert(identity)
            .build())
    }
}

impl Roots {
    /// The certificates, of which at least one is an authority's.
    fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, Error> {
        let certificates = match self {
            Self::Pem(pem) => certificates(pem)?,
            Self::System => {
                let store = STORES.iter().find_map(|path| std::fs::read(path).ok());
                let store = store.ok_or_else(|| {
                    Error::Setup("this system has no list of authorities: name one".to_owned())
                })?;
                certificates(&store)?
            }
        };
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(certificates.iter().cloned());
        if store.is_empty() {
            return Err(Error::Setup("no certificate of an authority".to_owned()));
        }
        Ok(certificates)
    }
}

impl Identity {
    /// In ureq's form. That the key belongs to the certificate is seen here: ureq does not expect another.
    fn client_certificate(
        &self,
        roots: &[CertificateDer<'static>],
        provider: &Arc<CryptoProvider>,
    ) -> Result<ClientCert, Error> {
        let chain = certificates(&self.chain)?;
        let wrong_key = || Error::Setup("the client's key is not one in PEM".to_owned());
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| wrong_key())?;
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(roots.iter().cloned());
        ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|_| Error::Setup("TLS has no version in common with itself".to_owned()))?
            .with_root_certificates(store)
            .with_client_auth_cert(chain.clone(), key)
            .map_err(|_| Error::Setup("the client's key does not belong to its certificate".to_owned()))?;
        let chain: Vec<_> = chain.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
        let key = PrivateKey::from_pem(&self.key).map_err(|_| wrong_key())?;
        Ok(ClientCert::new_with_certs(&chain, key))
    }
}

/// The certificates of a text in PEM, at least one.
fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match read {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        Ok(_) => Err(Error::Setup("there is no certificate in the file".to_owned())),
        Err(_) => Err(Error::Setup("not certificates in PEM".to_owned())),
    }
}
