//! A client that says exactly what it is told.

use phalanx_testing::times::PATIENCE;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Status and code.
    pub(super) fn code(&self) -> (u16, String) {
        (self.status, self.json()["code"].as_str().unwrap_or("").to_owned())
    }
}

/// Who speaks to a service.
#[derive(Clone, Copy)]
pub(super) struct Client(SocketAddr);

impl Client {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self(address)
    }

    pub(super) fn connect(self) -> Connection {
        let stream = TcpStream::connect(self.0).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream.set_nodelay(true).expect("a socket");
        Connection(BufReader::new(stream))
    }

    pub(super) fn get(self, path: &str) -> Answer {
        self.connect().send("GET", path, "", "")
    }

    pub(super) fn post(self, path: &str, body: &str) -> Answer {
        self.connect().post(path, body)
    }
}

/// A connection.
pub(super) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(super) fn post(&mut self, path: &str, body: &str) -> Answer {
        self.send("POST", path, "Content-Type: application/json\r\n", body)
    }

    /// One request, whose length is said.
    pub(super) fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let len = if method == "GET" { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        self.raw(format!("{method} {path} HTTP/1.1\r\nHost: signer\r\n{headers}{len}\r\n{body}").as_bytes());
        self.answer().expect("an answer")
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        // Who is at the other end may have closed already, and have said why.
        let _ = self.0.get_mut().write_all(bytes);
    }

    pub(super) fn answer(&mut self) -> io::Result<Answer> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let lower = head.to_ascii_lowercase();
        let len = lower.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let mut body = vec![0; len.map_or(0, |len| len.parse().expect("a number"))];
        self.0.read_exact(&mut body)?;
        let status = head.split(' ').nth(1).expect("a status").parse().expect("a number");
        Ok(Answer { status, head: lower, body })
    }

    /// Whether the other end closes, before it says anything.
    pub(super) fn is_closed(&mut self) -> bool {
        match self.0.read(&mut [0; 1]) {
            Ok(read) => read == 0,
            Err(error) => !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut),
        }
    }
}
