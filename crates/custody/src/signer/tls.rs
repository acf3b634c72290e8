//! TLS: the certificates of the service, and who its clients are.
#![forbid(unsafe_code)]

use super::config::{ConfigError, Tls};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// What a connection says of its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Certificate {
    /// None was asked for.
    NotAsked,
    /// One that is valid, and names nobody.
    Unnamed,
    /// One that is valid, and its first name.
    Named(Arc<str>),
}

/// What connections are made with; a reload exchanges it.
pub(super) struct TlsSettings(RwLock<Arc<ServerConfig>>);

impl TlsSettings {
    /// Reads the files that `tls` names.
    pub(super) fn read(tls: &Tls) -> Result<Self, ConfigError> {
        Ok(Self(RwLock::new(Arc::new(settings(tls)?))))
    }

    /// Reads them again.
    pub(super) fn reload(&self, tls: &Tls) -> Result<(), ConfigError> {
        let new = Arc::new(settings(tls)?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    /// For a new connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn wrong(path: &Path, what: impl std::fmt::Display) -> ConfigError {
    ConfigError(format!("tls '{}': {what}", path.display()))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| wrong(path, error))?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(|error| wrong(path, error))?;
    if certificates.is_empty() { Err(wrong(path, "no certificate")) } else { Ok(certificates) }
}

fn settings(tls: &Tls) -> Result<ServerConfig, ConfigError> {
    let provider = Arc::new(ring::default_provider());
    let versions = if tls.allow_tls_1_2 { vec![&TLS13, &TLS12] } else { vec![&TLS13] };
    let builder =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_protocol_versions(&versions);
    let builder = builder.map_err(|error| wrong(&tls.certificate, error))?;
    let builder = match &tls.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(|error| wrong(path, error))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().map_err(|error| wrong(path, error))?)
        }
    };
    let key = PrivateKeyDer::from_pem_file(&tls.private_key)
        .map_err(|_| wrong(&tls.private_key, "no private key in PEM can be read from it"))?;
    let settings = builder.with_single_cert(certificates(&tls.certificate)?, key);
    let mut settings = settings.map_err(|error| wrong(&tls.certificate, error))?;
    settings.alpn_protocols = vec![b"http/1.1".to_vec()];
    // Every connection is checked anew: a client that was taken off the list does not come back by a ticket.
    settings.session_storage = Arc::new(NoServerSessionStorage {});
    Ok(settings)
}

/// Who showed these certificates, which were verified: the first name for the DNS in the client's own.
pub(super) fn client(certificates: Option<&[CertificateDer<'_>]>) -> Certificate {
    let Some(own) = certificates.and_then(<[_]>::first) else { return Certificate::NotAsked };
    let Ok(parsed) = webpki::EndEntityCert::try_from(own) else { return Certificate::Unnamed };
    match parsed.valid_dns_names().next() {
        // A name for many is none.
        Some(name) if !name.starts_with('*') => Certificate::Named(Arc::from(name.to_ascii_lowercase())),
        _ => Certificate::Unnamed,
    }
}
