//! A connection to PostgreSQL: TLS with the server's name checked, or a local socket; and nothing that waits for ever.
#![forbid(unsafe_code)]

use super::address::Address;
use crate::ledger::database::{Fault, Row, Value};
use crate::ledger::refused::{LedgerError, Problem};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::{ClientConfig, RootCertStore};
use std::cell::Cell;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Connection, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long the server may take to answer: longer than it allows itself for a statement.
const PATIENCE: Duration = Duration::from_secs(3);

/// A connection, of which one thread makes use.
pub(super) struct Link {
    runtime: Runtime,
    client: Client,
    /// After a fault nothing more is asked: nobody knows what was done.
    is_broken: Cell<bool>,
}

fn malformed(what: impl std::fmt::Display) -> LedgerError {
    LedgerError::new(Problem::Malformed, what)
}

fn unreachable(what: impl std::fmt::Display) -> LedgerError {
    LedgerError::new(Problem::Storage, format_args!("the database does not answer: {what}"))
}

/// What the server says, without the values that it may repeat in details.
fn told(error: &tokio_postgres::Error) -> Fault {
    error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
}

/// How the certificates of a server are looked at.
fn tls(roots: &Path, identity: Option<&(PathBuf, PathBuf)>) -> Result<ClientConfig, LedgerError> {
    let unreadable = |path: &Path| malformed(format_args!("no certificates in {}", path.display()));
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(roots).map_err(|_| unreadable(roots))? {
        let certificate = certificate.map_err(|_| unreadable(roots))?;
        store.add(certificate).map_err(|_| unreadable(roots))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(malformed)?.with_root_certificates(store);
    let Some((certificates, key)) = identity else { return Ok(builder.with_no_client_auth()) };
    let chain = CertificateDer::pem_file_iter(certificates).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|_| unreadable(certificates))?;
    let key = PrivateKeyDer::from_pem_file(key)
        .map_err(|_| malformed(format_args!("no private key in {}", key.display())))?;
    builder.with_client_auth_cert(chain, key).map_err(malformed)
}

fn answered<T>(
    runtime: &Runtime,
    connect: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, LedgerError> {
    let done = runtime.block_on(async { tokio::time::timeout(PATIENCE, connect).await });
    done.map_err(|_| unreachable("it takes too long"))?.map_err(|error| unreachable(told(&error)))
}

/// Moves the bytes of a connection whenever the client waits.
fn keep<S, T>(runtime: &Runtime, connection: Connection<S, T>)
where
    Connection<S, T>: Future + Send + 'static,
    <Connection<S, T> as Future>::Output: Send,
{
    drop(runtime.spawn(connection));
}

impl Link {
    /// Connects. Over the network only with TLS, whose certificate must be of the server's name.
    pub(super) fn connect(address: &Address) -> Result<Self, LedgerError> {
        let mut config = address.config.clone();
        config.connect_timeout(PATIENCE).tcp_user_timeout(PATIENCE).application_name("phalanx");
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let runtime = Builder::new_current_thread().enable_all().build().map_err(unreachable)?;
        let client = if address.is_local() {
            config.ssl_mode(SslMode::Disable);
            let (client, connection) = answered(&runtime, config.connect(NoTls))?;
            keep(&runtime, connection);
            client
        } else {
            let roots = address.root_certificates.as_deref().ok_or_else(|| {
                malformed(
                    "a server that is no local socket is known by certificates: sslrootcert names the file",
                )
            })?;
            config.ssl_mode(SslMode::Require);
            let tls = MakeRustlsConnect::new(tls(roots, address.identity.as_ref())?);
            let (client, connection) = answered(&runtime, config.connect(tls))?;
            keep(&runtime, connection);
            client
        };
        Ok(Self { runtime, client, is_broken: Cell::new(false) })
    }

    /// Whether something has gone wrong.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.get()
    }

    fn run<T>(&self, asked: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Fault> {
        if self.is_broken.get() {
            return Err("the connection has had a fault".to_owned());
        }
        let done = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, asked).await });
        let done = match done {
            Ok(done) => done.map_err(|error| told(&error)),
            Err(_) => Err("the database did not answer in time".to_owned()),
        };
        self.is_broken.set(done.is_err());
        done
    }

    /// Sends statements without values.
    pub(super) fn batch(&self, statements: &str) -> Result<(), Fault> {
        self.run(self.client.batch_execute(statements))
    }

    /// Rolls back, after a refusal too.
    pub(super) fn roll_back(&self) {
        if !self.client.is_closed() {
            // The server does so itself when the connection ends.
            let _ = self.runtime.block_on(async {
                tokio::time::timeout(Duration::from_millis(500), self.client.batch_execute("ROLLBACK")).await
            });
        }
    }

    /// Executes a statement, without a name that a pooler would have to know.
    pub(super) fn execute(&self, statement: &str, values: &[Value]) -> Result<u64, Fault> {
        self.run(self.client.execute_typed(statement, &typed(values)))
    }

    /// The rows that a query answers.
    pub(super) fn query(&self, query: &str, values: &[Value]) -> Result<Vec<Row>, Fault> {
        let rows = self.run(self.client.query_typed(query, &typed(values)))?;
        rows.iter().map(row).collect()
    }
}

fn typed(values: &[Value]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    values.iter().map(typed_value).collect()
}

fn typed_value(value: &Value) -> (&(dyn ToSql + Sync), Type) {
    match value {
        Value::Number(number) => (number, Type::INT8),
        Value::Bytes(bytes) => (bytes, Type::BYTEA),
        Value::Text(text) => (text, Type::TEXT),
    }
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Fault> {
    let value = |(column, about): (usize, &tokio_postgres::Column)| {
        let read = match *about.type_() {
            Type::INT8 => row.try_get(column).map(Value::Number),
            Type::INT4 => row.try_get(column).map(|number: Option<i32>| Value::Number(number.map(i64::from))),
            Type::BYTEA => row.try_get(column).map(Value::Bytes),
            Type::TEXT => row.try_get(column).map(Value::Text),
            _ => return Err(format!("a column of type {}", about.type_())),
        };
        read.map_err(|error| told(&error))
    };
    row.columns().iter().enumerate().map(value).collect::<Result<_, Fault>>().map(Row)
}
