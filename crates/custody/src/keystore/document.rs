//! A keystore as it lies on the disk: read, and checked as far as that goes without its password.
//!
//! Source: specification, section 2.8, whose steps are named at the lines that take them. Their order decides which
//! verdict a file with several faults gets.

use super::cipher::Cipher;
use super::error::{Error, Verdict, malformed, refused};
use super::fields;
use super::kdf::Kdf;
use super::payload;
use super::scheme::{Row, Scheme};
use super::secret::SecretKind;
use crate::identity::{KeyId, key_id};
use crate::json::{self, Limits, Object, Value};

/// What a key is for. Never guessed from the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Signs attestations.
    Attester,
    /// Signs blocks.
    Proposer,
    /// Signs aggregates.
    Aggregator,
    /// Signs what a builder bids.
    Builder,
    /// Signs the votes of a consensus (Ed25519).
    Consensus,
    /// Anything else.
    Other,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 6] =
        [Self::Attester, Self::Proposer, Self::Aggregator, Self::Builder, Self::Consensus, Self::Other];

    /// The name, as in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Attester => "attester",
            Self::Proposer => "proposer",
            Self::Aggregator => "aggregator",
            Self::Builder => "builder",
            Self::Consensus => "consensus",
            Self::Other => "other",
        }
    }

    /// The role called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// What may be done with a keystore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The key may sign, as far as its ledger allows.
    Signing,
    /// The file brings back the key, and nobody signs from it.
    RecoveryOnly,
}

impl Use {
    /// The name, as in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Signing => "signing",
            Self::RecoveryOnly => "recovery-only",
        }
    }
}

/// How epochs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexMode {
    /// By the clock: the epoch is the slot.
    Synchronized,
    /// One after the other.
    Counter,
}

impl IndexMode {
    /// The name, as in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Synchronized => "synchronized",
            Self::Counter => "counter",
        }
    }

    /// What `state.authority` says beside it.
    pub(super) fn authority(self) -> &'static str {
        match self {
            Self::Synchronized => "slashing-protection",
            Self::Counter => "external",
        }
    }
}

/// What a keystore says of its key. None of it is secret, and none is proved before [`Keystore::open`] has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The file's own name, kept over changes of the password.
    pub uuid: String,
    /// A text for people.
    pub description: String,
    /// The scheme.
    pub scheme: Scheme,
    /// How epochs are chosen; none for Ed25519.
    pub index_mode: Option<IndexMode>,
    /// First epoch of the activation interval; none for Ed25519.
    pub start: Option<u64>,
    /// Number of its epochs; none for Ed25519, and where a file without our extension does not say it.
    pub count: Option<u64>,
    /// What the key is for; none where a file lacks our extension.
    pub role: Option<Role>,
    /// What may be done with the file.
    pub usage: Use,
    /// What the plaintext is.
    pub secret: SecretKind,
    /// The public key, as SSZ has it.
    pub public_key: Vec<u8>,
    /// Names the key: computed from the public key.
    pub key_id: KeyId,
}

/// A keystore: well-formed, of a scheme and with functions that are known, still encrypted.
pub struct Keystore {
    pub(super) document: Value,
    pub(super) header: Header,
    pub(super) kdf: Kdf,
    pub(super) cipher: Cipher,
    pub(super) checksum: Option<[u8; 32]>,
    pub(super) binding: Option<[u8; 32]>,
}

/// The members of `phalanx` that step 4 reads.
pub(super) struct Extension<'a> {
    members: &'a Object,
    role: Role,
    usage: Use,
}

impl Keystore {
    /// Most bytes of a file.
    pub const MAX_BYTES: usize = Limits::KEYSTORE.bytes;

    /// The keystore that `bytes` are.
    ///
    /// # Errors
    /// [`Error::Refused`], with the verdict of the first rule that the file breaks.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        // 1, 2, 3
        let document = parsed(bytes)?;
        let members = document.as_object().expect("it was one");
        // 4
        let crypto = fields::object(members, "crypto")?;
        let [kdf, cipher] = [module(crypto, "kdf")?, module(crypto, "cipher")?];
        let uuid = fields::text(members, "uuid")?;
        if !fields::is_uuid(uuid) {
            return Err(malformed("uuid"));
        }
        fields::text(members, "path")?;
        let description = fields::optional_text(members, "description")?.unwrap_or_default();
        let extension = extension(members)?;
        // 5
        let cipher = Cipher::read(cipher)?;
        // 6
        let secret = secret_kind(extension.as_ref())?;
        if secret == SecretKind::Seed && cipher.ciphertext().len() != 32 {
            return Err(refused(Verdict::WrongSecretLength, "a seed has 32 bytes"));
        }
        // 7
        let [checksum, binding] = authenticators(crypto, extension.as_ref(), cipher.is_sealed())?;
        // 8
        let key = SchemeBlock::read(members, extension.as_ref())?;
        check_payload(&key, secret, cipher.ciphertext().len())?;
        // 9
        let public_key = public_key(members, key.scheme)?;
        let part = key.scheme.family().part_of(&public_key).expect("its length was checked");
        let key_id = key_id(key.scheme.family(), part);
        if let Some(extension) = &extension
            && fields::array(extension.members, "key_id")? != key_id.0
        {
            return Err(refused(Verdict::SchemeMismatch, "key_id is not that of the public key"));
        }
        // 10, but for the floor, which depends on who reads.
        let kdf = Kdf::read(kdf)?;

        let header = Header {
            uuid: uuid.to_owned(),
            description: description.to_owned(),
            scheme: key.scheme,
            index_mode: key.index_mode,
            start: key.start,
            count: key.count,
            role: extension.as_ref().map(|extension| extension.role),
            usage: extension.map_or(Use::Signing, |extension| extension.usage),
            secret,
            public_key,
            key_id,
        };
        Ok(Self { document, header, kdf, cipher, checksum, binding })
    }

    /// What the file says of its key.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The scheme of the key.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.header.scheme
    }

    /// Whether something binds the header to the password. If nothing does, the whole public key must be computed
    /// before the key signs, and role and use are to be taken from elsewhere.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.binding.is_some() || self.cipher.is_sealed()
    }

    /// Whether guessing passwords of this file is cheaper than the floor allows.
    #[must_use]
    pub fn has_weak_kdf(&self) -> bool {
        self.kdf.is_weak()
    }
}

/// The object that `bytes` are, of version 5: steps 1 to 3.
pub(super) fn parsed(bytes: &[u8]) -> Result<Value, Error> {
    let document = json::parse(bytes, Limits::KEYSTORE).map_err(|error| match error {
        json::Error::TooLong { .. } => refused(Verdict::TooLarge, "at most 65536 bytes are read"),
        json::Error::Malformed { what, .. } => malformed(what),
    })?;
    let members = document.as_object().ok_or_else(|| malformed("not an object"))?;
    if fields::integer(members, "version")? != 5 {
        return Err(refused(Verdict::UnsupportedVersion, "version"));
    }
    Ok(document)
}

/// The member `name` of `crypto`: a function, its parameters and a message, as ERC-2335 has them.
pub(super) fn module<'a>(crypto: &'a Object, name: &'static str) -> Result<&'a Object, Error> {
    let module = fields::object(crypto, name)?;
    fields::text(module, "function")?;
    fields::object(module, "params")?;
    fields::text(module, "message")?;
    Ok(module)
}

/// Our extension, if the file has it.
pub(super) fn extension(members: &Object) -> Result<Option<Extension<'_>>, Error> {
    let Some(members) = fields::optional_object(members, "phalanx")? else { return Ok(None) };
    if fields::integer(members, "extension")? != 1 {
        return Err(refused(Verdict::UnsupportedVersion, "phalanx.extension"));
    }
    let role = Role::from_name(fields::text(members, "role")?).ok_or_else(|| malformed("phalanx.role"))?;
    let usage = match fields::text(members, "use")? {
        "signing" => Use::Signing,
        "recovery-only" => Use::RecoveryOnly,
        _ => return Err(malformed("phalanx.use")),
    };
    Ok(Some(Extension { members, role, usage }))
}

/// What the plaintext is.
fn secret_kind(extension: Option<&Extension<'_>>) -> Result<SecretKind, Error> {
    let Some(extension) = extension else { return Ok(SecretKind::Seed) };
    match fields::optional_text(extension.members, "secret")? {
        None | Some("seed") => Ok(SecretKind::Seed),
        Some("prf-key") => Ok(SecretKind::PrfKey),
        Some(_) => Err(malformed("phalanx.secret")),
    }
}

/// Checksum and binding, if the file has them; with associated data it may have neither.
pub(super) fn authenticators(
    crypto: &Object,
    extension: Option<&Extension<'_>>,
    is_sealed: bool,
) -> Result<[Option<[u8; 32]>; 2], Error> {
    let read = |module: Option<&Object>, function: &str, what: &'static str| match module {
        None => Ok(None),
        Some(module) if fields::text(module, "function")? == function => {
            fields::array(module, "message").map(Some)
        }
        Some(_) => Err(refused(Verdict::UnsupportedFunction, what)),
    };
    let checksum = fields::optional_object(crypto, "checksum")?;
    let checksum = read(checksum, "sha256", "crypto.checksum.function")?;
    let binding = match extension {
        Some(extension) => fields::optional_object(extension.members, "binding")?,
        None => None,
    };
    let binding = read(binding, "hmac-sha256", "phalanx.binding.function")?;
    if is_sealed && (checksum.is_some() || binding.is_some() || extension.is_none()) {
        return Err(malformed("associated data together with a checksum or a binding, or without phalanx"));
    }
    Ok([checksum, binding])
}

/// What the member `scheme` says.
struct SchemeBlock {
    scheme: Scheme,
    index_mode: Option<IndexMode>,
    start: Option<u64>,
    count: Option<u64>,
}

impl SchemeBlock {
    fn read(members: &Object, extension: Option<&Extension<'_>>) -> Result<Self, Error> {
        let block = fields::object(members, "scheme")?;
        let params = fields::object(block, "params")?;
        let row = match fields::text(block, "name")? {
            "ed25519" => None,
            "leanxmss" => Some(registered(params)?),
            _ => return Err(refused(Verdict::UnsupportedScheme, "scheme.name")),
        };
        let scheme = row.map_or(Scheme::Ed25519, |row| row.scheme);
        if let Some(row) = row
            && fields::integer(params, "lifetime_leaves")? != row.lifetime()
        {
            return Err(refused(Verdict::SchemeMismatch, "lifetime_leaves"));
        }
        if let Some(extension) = extension
            && fields::text(extension.members, "parameter_set")? != scheme.name()
        {
            return Err(refused(Verdict::SchemeMismatch, "phalanx.parameter_set"));
        }
        let index_mode = row.map(|_| index_mode(params)).transpose()?;
        let state = fields::object(members, "state")?;
        if fields::value(state, "authoritative")?.as_bool() != Some(false) {
            return Err(malformed("state.authoritative"));
        }
        let authority = index_mode.unwrap_or(IndexMode::Counter).authority();
        if fields::text(state, "authority")? != authority {
            return Err(refused(Verdict::SchemeMismatch, "state.authority"));
        }
        let (start, count) = match row {
            None => (None, None),
            Some(row) => interval(params, row, extension.is_some())?,
        };
        Ok(Self { scheme, index_mode, start, count })
    }
}

/// The row of the registry that `scheme.params` say.
fn registered(params: &Object) -> Result<&'static Row, Error> {
    let unsupported = |what| refused(Verdict::UnsupportedScheme, what);
    let hash = fields::text(params, "hash")?;
    let number = |name| fields::integer(params, name);
    let numbers =
        [number("tree_height")?, number("winternitz_w")?, number("dimension")?, number("target_sum")?];
    if number("hypertree_layers")? != 1 {
        return Err(unsupported("hypertree_layers"));
    }
    if fields::text(params, "encoding")? != "target_sum" {
        return Err(unsupported("encoding"));
    }
    let [height, w, dimension, sum] = numbers;
    Scheme::find(hash, height, w, dimension, sum).ok_or_else(|| unsupported("no parameter set has these"))
}

fn index_mode(params: &Object) -> Result<IndexMode, Error> {
    match fields::text(params, "index_mode")? {
        "synchronized" => Ok(IndexMode::Synchronized),
        "counter" => Ok(IndexMode::Counter),
        _ => Err(refused(Verdict::UnsupportedScheme, "index_mode")),
    }
}

/// The activation interval: rounded, and with `must_be_whole` both ends of it.
fn interval(params: &Object, row: &Row, must_be_whole: bool) -> Result<(Option<u64>, Option<u64>), Error> {
    let wrong = refused(Verdict::SchemeMismatch, "the activation interval is not one of the parameter set");
    let start = fields::integer(params, "activation_epoch")?;
    if params.get("num_active_epochs").is_none() && !must_be_whole {
        // Any start that some interval has.
        return match row.rounded(start, 1) {
            Some((rounded, _)) if start == rounded => Ok((Some(start), None)),
            _ => Err(wrong),
        };
    }
    let count = fields::integer(params, "num_active_epochs")?;
    if row.rounded(start, count) != Some((start, count)) {
        return Err(wrong);
    }
    Ok((Some(start), Some(count)))
}

/// Whether an expanded key is of a set that has such keys, and has the length that set and interval give.
fn check_payload(key: &SchemeBlock, secret: SecretKind, len: usize) -> Result<(), Error> {
    if secret == SecretKind::Seed {
        return Ok(());
    }
    let (Scheme::KoalaBear(set), Some(start), Some(count)) = (key.scheme, key.start, key.count) else {
        return Err(refused(Verdict::SchemeMismatch, "only keys over KoalaBear are held expanded"));
    };
    if len != payload::len_bytes(set, start, count) {
        return Err(refused(Verdict::WrongSecretLength, "an expanded key of another length"));
    }
    Ok(())
}

/// The public key, in the form of the scheme.
fn public_key(members: &Object, scheme: Scheme) -> Result<Vec<u8>, Error> {
    let text = fields::text(members, "pubkey")?;
    let bytes = hex::decode(text.strip_prefix("0x").unwrap_or(text)).map_err(|_| malformed("pubkey"))?;
    if bytes.len() != scheme.public_key_bytes() {
        return Err(refused(Verdict::SchemeMismatch, "pubkey has another length than those of the scheme"));
    }
    if matches!(scheme, Scheme::KoalaBear(_)) && !payload::are_canonical(&bytes) {
        return Err(malformed("pubkey: an element that is not canonical"));
    }
    Ok(bytes)
}
