//! HTTP over a socket in the file system.
#![forbid(unsafe_code)]

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use ureq::Error;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport,
};

/// Connects to one socket, whatever the host.
#[derive(Debug)]
pub(super) struct SocketConnector(pub(super) PathBuf);

impl Connector for SocketConnector {
    type Out = SocketTransport;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _: Option<()>,
    ) -> Result<Option<SocketTransport>, Error> {
        let stream = UnixStream::connect(&self.0)?;
        let config = details.config;
        let buffers = LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size());
        Ok(Some(SocketTransport { stream, buffers }))
    }
}

/// A connection.
#[derive(Debug)]
pub(super) struct SocketTransport {
    stream: UnixStream,
    buffers: LazyBuffers,
}

/// What a call that has run into its time-out becomes.
fn timed(error: io::Error, timeout: NextTimeout) -> Error {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Error::Timeout(timeout.reason),
        _ => error.into(),
    }
}

impl Transport for SocketTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.set_write_timeout(timeout.not_zero().map(|after| *after))?;
        let written = self.stream.write_all(&self.buffers.output()[..amount]);
        written.map_err(|error| timed(error, timeout))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.set_read_timeout(timeout.not_zero().map(|after| *after))?;
        let read = self.stream.read(self.buffers.input_append_buf());
        let read = read.map_err(|error| timed(error, timeout))?;
        self.buffers.input_appended(read);
        Ok(read > 0)
    }

    /// Open is a connection on which nothing came that nobody asked for, and whose end did not come.
    fn is_open(&mut self) -> bool {
        if self.stream.set_nonblocking(true).is_err() {
            return false;
        }
        let waits = self.stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        waits && self.stream.set_nonblocking(false).is_ok()
    }
}
