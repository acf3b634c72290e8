//! Certificates for tests, made on the spot.

use super::Shown;
use crate::support::Folder;
use phalanx_signerload::rig::write_private;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose as Purpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};

/// An authority.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
}

/// What a certificate says.
pub(super) struct Says<'a> {
    /// Names of hosts, and addresses.
    pub(super) names: &'a [&'a str],
    /// What it may be used for.
    pub(super) purposes: Vec<Purpose>,
    /// The years in which it is valid.
    pub(super) years: (i32, i32),
}

impl<'a> Says<'a> {
    /// A client of today.
    pub(super) fn client(names: &'a [&'a str]) -> Self {
        Self { names, purposes: vec![Purpose::ClientAuth], years: (2000, 4000) }
    }
}

impl Authority {
    /// Makes one, and writes its certificate to `name` in `folder`.
    pub(super) fn new(folder: &Folder, name: &str) -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        // All of one name: what tells them apart is the key.
        params.distinguished_name.push(DnType::CommonName, "authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        folder.write(name, params.self_signed(&key).expect("a certificate").pem());
        Self { issuer: Issuer::new(params, key) }
    }

    /// Makes a certificate, and writes it and its key to `NAME.pem` and `NAME.key`.
    pub(super) fn certify(&self, folder: &Folder, name: &str, says: &Says<'_>) -> Shown {
        let key = KeyPair::generate().expect("a key");
        let names: Vec<_> = says.names.iter().map(ToString::to_string).collect();
        let mut params = CertificateParams::new(names).expect("names");
        params.distinguished_name.push(DnType::CommonName, "somebody");
        params.extended_key_usages = says.purposes.clone();
        params.not_before = date_time_ymd(says.years.0, 1, 1);
        params.not_after = date_time_ymd(says.years.1, 1, 1);
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let (chain, secret) = (folder.path(&format!("{name}.pem")), folder.path(&format!("{name}.key")));
        write_private(&chain, certificate.pem().as_bytes()).expect("our folder");
        write_private(&secret, key.serialize_pem().as_bytes()).expect("our folder");
        Shown { certificate: Some((chain, secret)), token: None }
    }

    /// The signer's own certificate, for 127.0.0.1.
    pub(super) fn certify_signer(&self, folder: &Folder, name: &str, host: &str) {
        let says = Says { names: &[host], purposes: vec![Purpose::ServerAuth], years: (2000, 4000) };
        self.certify(folder, name, &says);
    }
}
