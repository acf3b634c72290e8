//! How fast signatures are verified out of a Parquet file, beside the same number in memory, in one run:
//! `cargo run --release -p phalanx-bulk --example throughput -- FOLDER [ROWS [ROUNDS]]`. The file is made if it is not there; keys
//! repeat, as in what validators sign. What is printed of memory is the most that was resident while it ran, the rows that
//! are verified in memory among it: that of the program alone is measured outside.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use cpu_time::ProcessTime;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use phalanx::ed25519::{Profile, Signature, SignedMessage, SigningKey, sign_many_on, verify_many_on};
use phalanx::{Job, Pool};
use phalanx_bulk::{Options, Run};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Rows made at a time, and the keys that sign them.
const GROUP_ROWS: usize = 250_000;
const KEYS: u64 = 10_000;

/// A pool that starts its threads anew for each call, which is nothing beside a group of rows.
struct Scoped(usize);

impl Pool for Scoped {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        let jobs = Mutex::new(jobs.into_iter());
        let next = || jobs.lock().ok().and_then(|mut jobs| jobs.next());
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| std::iter::from_fn(next).for_each(|job| job()));
            }
        });
    }

    fn threads(&self) -> usize {
        self.0
    }
}

/// A row.
struct Row {
    public_key: [u8; 32],
    message: [u8; 32],
    signature: [u8; 64],
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder is named");
    let rows: usize = arguments.next().map_or(1_000_000, |rows| rows.parse().expect("a number of rows"));
    let rounds: usize = arguments.next().map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    let pool = Scoped(std::thread::available_parallelism().map_or(1, usize::from));
    let keys: Vec<SigningKey> = (0..KEYS).map(|key| SigningKey::from_seed(&bytes(key))).collect();
    let file = Path::new(&folder).join(format!("ed25519-{rows}.parquet"));
    if !file.exists() {
        write(&file, rows, &keys, &pool);
    }
    let some = make(0, GROUP_ROWS.min(rows), &keys, &pool);
    // In turns, since other work on the machine comes and goes; processor time, which it lengthens less.
    let (mut in_memory, mut from_file) = (Cost::MOST, Cost::MOST);
    for _ in 0..rounds {
        in_memory = in_memory.least(Cost::of(some.len(), || verify(&some, &pool)));
        let out = Path::new(&folder).join(format!("out-{rows}"));
        std::fs::remove_dir_all(&out).ok();
        let files = [file.to_str().expect("UTF-8").to_owned()];
        from_file = from_file.least(Cost::of(rows, || {
            let on = |_, _| ControlFlow::Continue(());
            let report = phalanx_bulk::run(&files, &Options::default(), &Run::default(), &out, &on);
            assert_eq!(report.expect("it runs").totals.valid, rows as u64);
        }));
        in_memory = in_memory.least(Cost::of(some.len(), || verify(&some, &pool)));
    }
    let of = |memory: f64, file: f64| 100.0 * memory / file;
    println!("{rows} rows, on {} threads, the least of several rounds of each, for a row:", pool.0);
    println!(
        "in memory {:.2} us, {:.2} us of processor time",
        1e6 * in_memory.wall_s,
        1e6 * in_memory.processor_s
    );
    println!(
        "from file {:.2} us, {:.2} us of processor time",
        1e6 * from_file.wall_s,
        1e6 * from_file.processor_s
    );
    println!(
        "{:.1} % of the rate in memory, {:.1} % by processor time",
        of(in_memory.wall_s, from_file.wall_s),
        of(in_memory.processor_s, from_file.processor_s)
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{}",
        status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("resident: not known here")
    );
}

/// What a row costs.
#[derive(Clone, Copy)]
struct Cost {
    wall_s: f64,
    processor_s: f64,
}

impl Cost {
    const MOST: Self = Self { wall_s: f64::INFINITY, processor_s: f64::INFINITY };

    #[expect(clippy::cast_precision_loss, reason = "times are rounded anyway")]
    fn of(rows: usize, work: impl FnOnce()) -> Self {
        let (begun, processor) = (Instant::now(), ProcessTime::now());
        work();
        let [wall_s, processor_s] =
            [begun.elapsed(), processor.elapsed()].map(|time| time.as_secs_f64() / rows as f64);
        Self { wall_s, processor_s }
    }

    fn least(self, other: Self) -> Self {
        Self { wall_s: self.wall_s.min(other.wall_s), processor_s: self.processor_s.min(other.processor_s) }
    }
}

fn bytes(number: u64) -> [u8; 32] {
    let mut bytes = [0x5a; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn make(first: usize, count: usize, keys: &[SigningKey], pool: &Scoped) -> Vec<Row> {
    let messages: Vec<[u8; 32]> = (first..first + count).map(|row| bytes((row as u64) << 20)).collect();
    let signers: Vec<&SigningKey> = keys.iter().cycle().take(messages.len()).collect();
    let slices: Vec<&[u8]> = messages.iter().map(<[u8; 32]>::as_slice).collect();
    let signatures = sign_many_on(pool, &signers, &slices).expect("as many keys as messages");
    let row = |((message, signer), signature): ((&[u8; 32], &&SigningKey), &Signature)| Row {
        public_key: signer.verifying_key().to_bytes(),
        message: *message,
        signature: signature.to_bytes(),
    };
    messages.iter().zip(&signers).zip(&signatures).map(row).collect()
}

fn verify(rows: &[Row], pool: &Scoped) {
    let elements: Vec<_> = rows
        .iter()
        .map(|Row { public_key, message, signature }| SignedMessage { public_key, message, signature })
        .collect();
    assert!(verify_many_on(pool, Profile::Strict, &elements).iter().all(Result::is_ok));
}

fn write(file: &Path, rows: usize, keys: &[SigningKey], pool: &Scoped) {
    let schema =
        "message rows { required BYTE_ARRAY scheme (UTF8); required FIXED_LEN_BYTE_ARRAY(32) public_key;
        optional INT64 epoch; required FIXED_LEN_BYTE_ARRAY(32) message;
        required FIXED_LEN_BYTE_ARRAY(64) signature; }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let file = std::fs::File::create(file).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).expect("a writer");
    for first in (0..rows).step_by(GROUP_ROWS) {
        let rows = make(first, GROUP_ROWS.min(rows - first), keys, pool);
        let mut group = writer.next_row_group().expect("a group");
        let mut column = group.next_column().expect("a column").expect("one more");
        let scheme = vec![ByteArray::from("ed25519"); rows.len()];
        column.typed::<ByteArrayType>().write_batch(&scheme, None, None).expect("written");
        column.close().expect("written");
        fixed(&mut group, rows.iter().map(|row| row.public_key.to_vec()));
        let mut column = group.next_column().expect("a column").expect("one more");
        column.typed::<Int64Type>().write_batch(&[], Some(&vec![0; rows.len()]), None).expect("written");
        column.close().expect("written");
        fixed(&mut group, rows.iter().map(|row| row.message.to_vec()));
        fixed(&mut group, rows.iter().map(|row| row.signature.to_vec()));
        group.close().expect("written");
    }
    writer.close().expect("written");
}

fn fixed(group: &mut SerializedRowGroupWriter<'_, std::fs::File>, values: impl Iterator<Item = Vec<u8>>) {
    let values: Vec<FixedLenByteArray> = values.map(|value| ByteArray::from(value).into()).collect();
    let mut column = group.next_column().expect("a column").expect("one more");
    column.typed::<FixedLenByteArrayType>().write_batch(&values, None, None).expect("written");
    column.close().expect("written");
}
