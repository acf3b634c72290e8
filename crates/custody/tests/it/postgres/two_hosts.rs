//! T8: two hosts that ask for every position, each for a message of its own, while they are stopped, the network is rough
//! and the server is killed. What was released is counted from their journals, never from the ledger.

use super::proxy::Proxy;
use super::{options, prepared};
use crate::ledger::{Folder, ask, key};
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::record::Ordering;
use phalanx_custody::ledger::{EpochLedger, Health, InitialState, Ledger, Refused};
use phalanx_testing::times::{wait_until, within};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const SOCKETS: &str = "PHALANX_TEST_SOCKETS";
const HOST: &str = "PHALANX_TEST_HOST";
const FOLDER: &str = "PHALANX_TEST_LEDGER";
const POSITIONS: &str = "PHALANX_TEST_POSITIONS";
/// The lease of these tests.
const TTL: Duration = Duration::from_secs(1);

/// The message of a host.
fn message(host: &str) -> u8 {
    host.as_bytes()[0]
}

/// Not a test of its own: one host.
#[test]
#[ignore = "a child of the tests below"]
fn child() {
    let Ok(sockets) = std::env::var(SOCKETS) else { return };
    let [host, folder, positions] =
        [HOST, FOLDER, POSITIONS].map(|name| std::env::var(name).expect("it is set"));
    let positions: u32 = positions.parse().expect("a number");
    let options = options(Path::new(&sockets), Path::new(&folder), &host).lease(TTL);
    let journal = Path::new(&folder).join("journal");
    let mut journal = OpenOptions::new().append(true).create(true).open(journal).expect("a journal");
    let (key, mut ledger) = (key(1, Ordering::Any), None);
    let mut position = 0;
    while position < positions {
        let Some(open) = &ledger else {
            match Ledger::open(&options) {
                Ok(open) => ledger = Some(open),
                Err(error) => {
                    let _ = writeln!(std::io::stderr(), "{host} {position}: {} {error}", error.code());
                    sleep(Duration::from_millis(30));
                }
            }
            continue;
        };
        match ask(open, &key, position, message(&host)) {
            Ok(_) if open.health() == Health::Open => {
                journal.write_all(format!("{position}\n").as_bytes()).expect("a line");
                position += 1;
            }
            Err(Refused::EpochUsed) => position += 1,
            answer => {
                let _ = writeln!(std::io::stderr(), "{host} {position}: {answer:?} {:?}", open.health());
                ledger = None;
            }
        }
        // Now and then it lets the other one.
        if position % 23 == 22 {
            ledger = None;
            sleep(Duration::from_millis(40));
        }
    }
}

struct Host {
    folder: Folder,
    process: Child,
}

impl Host {
    fn start(sockets: &Path, folder: Folder, host: &str, positions: u32) -> Self {
        let log = fs::File::create(folder.join("log")).expect("a log");
        let process = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "postgres::two_hosts::child", "--ignored", "--nocapture", "--test-threads=1"])
            .env(SOCKETS, sockets)
            .env(HOST, host)
            .env(FOLDER, folder.path())
            .env(POSITIONS, positions.to_string())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("a child");
        Self { folder, process }
    }

    fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    fn released(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.journal()).unwrap_or_default();
        text.lines().map(|line| line.parse().expect("a whole line")).collect()
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.process.id().to_string()).status();
        assert!(sent.expect("kill runs").success());
    }

    fn has_ended(&mut self) -> bool {
        self.process.try_wait().expect("a child").is_some_and(|status| {
            assert!(status.success(), "{}", fs::read_to_string(self.folder.join("log")).unwrap_or_default());
            true
        })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = (self.process.kill(), self.process.wait());
    }
}

/// How much is done.
struct Plan {
    positions: u32,
    seed: u64,
    /// Longest time that a host is stopped.
    longest_stop: Duration,
    /// How often the server is killed.
    kills: Duration,
}

#[test]
fn t8_two_hosts_and_a_rough_network() {
    run(&Plan {
        positions: 80,
        seed: 8,
        longest_stop: Duration::from_secs(2),
        kills: Duration::from_secs(3),
    });
}

#[test]
#[ignore = "10,000 positions, half an hour"]
fn t8_ten_thousand_positions() {
    let longest_stop = Duration::from_secs(30);
    run(&Plan { positions: 10_000, seed: 80, longest_stop, kills: Duration::from_secs(20) });
}

fn run(plan: &Plan) {
    let Some(mut server) = prepared() else { return };
    let proxy = Proxy::to(&server.sockets(), plan.seed);
    let folders = [Folder::new(), Folder::new()];
    let key = key(1, Ordering::Any);
    {
        let with = |n: usize, host| options(&server.sockets(), folders[n].path(), host);
        Ledger::create(&with(0, "a"), NewLedger::default()).expect("a new ledger");
        Ledger::join(&with(1, "b")).expect("another host");
        let ledger = Ledger::open(&with(0, "a")).expect("it opens");
        ledger.register(&key.instance, &key.public_key, InitialState::New).expect("a new key");
    }
    let mut names = ["a", "b"].into_iter();
    let mut hosts = folders
        .map(|folder| Host::start(&proxy.sockets(), folder, names.next().expect("two"), plan.positions));
    let handed_over = hand_over(&hosts);
    let (begun, mut killed, mut round, mut stops) = (Instant::now(), Instant::now(), plan.seed, 0);
    proxy.be_rough(true);
    loop {
        let ended = [0, 1].map(|n: usize| hosts[n].has_ended());
        if ended == [true, true] {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(3 * 3600), "they do not end");
        round = round.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let victim = usize::try_from(round >> 40 & 1).expect("0 or 1");
        let stop =
            plan.longest_stop.mul_f64(f64::from(u32::try_from(round >> 41 & 0xff).expect("a byte")) / 255.0);
        if !ended[victim] {
            hosts[victim].signal("STOP");
            stops += 1;
            // The longest ones are rare.
            sleep(if round >> 52 & 7 == 0 { stop } else { stop / 10 });
            hosts[victim].signal("CONT");
        }
        if killed.elapsed() > plan.kills {
            server.kill();
            server.run();
            killed = Instant::now();
        }
        sleep(Duration::from_millis(200 + (round >> 30 & 0xff)));
    }
    proxy.be_rough(false);
    judge(&server, &hosts, plan.positions);
    let [a, b] = hosts.each_ref().map(|host| host.released().len());
    eprintln!(
        "T8: {} positions, {a} + {b} released, {stops} stops, {} cuts, handed over in {handed_over:?}, {:?}",
        plan.positions,
        proxy.cuts(),
        begun.elapsed()
    );
    assert!(proxy.cuts() > 0 && a > 0 && b > 0, "nothing was tried");
}

/// Stops the host that signs, and waits for the other one.
fn hand_over(hosts: &[Host; 2]) -> Duration {
    let counts = || [0, 1].map(|n: usize| hosts[n].released().len());
    wait_until(|| "nobody begins".to_owned(), || counts().iter().sum::<usize>() >= 5);
    let before = counts();
    wait_until(|| "nobody goes on".to_owned(), || counts() != before);
    let holder = usize::from(counts()[1] != before[1]);
    hosts[holder].signal("STOP");
    let (stopped, before) = (Instant::now(), counts());
    wait_until(|| "nobody has followed".to_owned(), || counts()[1 - holder] != before[1 - holder]);
    let passed = stopped.elapsed();
    within(passed, TTL + Duration::from_secs(3));
    hosts[holder].signal("CONT");
    passed
}

/// What was released, and what the database says of it.
fn judge(server: &super::Server, hosts: &[Host; 2], positions: u32) {
    let mut released: BTreeMap<u32, &str> = BTreeMap::new();
    for (host, name) in hosts.iter().zip(["a", "b"]) {
        for position in host.released() {
            let other = released.insert(position, name);
            assert!(other.is_none_or(|other| other == name), "position {position} has signed two messages");
        }
    }
    let rows = server
        .sql("SELECT p0, encode(digest, 'hex'), lease_token, xmin::text FROM phalanx.entries ORDER BY p0");
    let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.split('|').collect()).collect();
    let digests: BTreeMap<u32, &str> =
        rows.iter().map(|row| (row[0].parse().expect("a number"), row[1])).collect();
    for (position, host) in &released {
        let digest = hex::encode(Sha256::digest([message(host); 32]));
        // A position is closed where a database was thought to have lost it.
        let kept = digests.get(position).copied();
        assert!(kept == Some(&digest[..]) || kept == Some(""), "position {position} is not in the database");
    }
    assert_eq!(digests.len(), usize::try_from(positions).expect("few"), "every position has been given away");
    // Nothing is written under a token after something under a later one: transactions are numbered as they begin to write,
    // and a lease changes hands only when nobody is in the middle of one.
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let mut tokens: Vec<(u64, u64)> =
        rows.iter().filter(|row| !row[1].is_empty()).map(|row| (number(row[3]), number(row[2]))).collect();
    tokens.sort_unstable();
    assert!(tokens.is_sorted_by_key(|&(_, token)| token), "somebody wrote under a stale token");
    assert!(
        tokens.len() > 1 && tokens.first().map(|t| t.1) != tokens.last().map(|t| t.1),
        "one held it always"
    );
}
