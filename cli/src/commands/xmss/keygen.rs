//! `phalanx xmss keygen`: a new key, or the rest of an interrupted one.

use super::input::SchemeArgs;
use crate::args::ThreadsArgs;
use crate::checkpoint::{self, Checkpoint, Wanted, Writer};
use crate::exit::{Exit, Failure};
use crate::files::{self, Privacy};
use crate::formats;
use crate::interrupt;
use crate::key_json::{self, FileEntry, Interval, KeyJson};
use crate::key_ledger::{self, FileSystemArgs};
use crate::output::{JsonFlag, Output};
use crate::progress::{Display, Unit};
use crate::seed::{self, Seed, SeedArgs};
use crate::{new_key, temporary};
use phalanx::xmss::any::{KeyGeneration, ParameterSet, SigningKey};
use phalanx::xmss::{Error, Format, Progress};
use phalanx::{Pool, Threads};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Generate a key; interrupted, run the same command again to resume
///
/// Writes public-key.<format>, secret-key.<format> (for its owner alone) and key.json, and before them the ledger of used
/// epochs: the folder secret-key.<format>.ledger, and its side log in the state folder ($XDG_STATE_HOME/phalanx, else
/// ~/.local/state/phalanx). The epochs are rounded outwards to bottom trees (over BLAKE2s they are
/// exactly those asked for). An interrupted run leaves keygen.checkpoint,
/// which the next run takes up.
///
/// A seed makes one key: with a seed that is known here under another parameter set or interval, nothing is made. The same
/// key made again has the ledger that it had; a second file of it elsewhere signs nothing.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  phalanx xmss keygen --scheme xmss-poseidon2-l18-d64b8 \\
    --start 0 --active 4096 --out keys")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) scheme: SchemeArgs,
    /// First epoch the key shall sign
    #[arg(long, value_name = "N")]
    pub(crate) start: u64,
    /// Number of epochs it shall sign
    #[arg(long, value_name = "N")]
    pub(crate) active: u64,
    /// Folder for the files; created if need be
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Encoding of the key files
    #[arg(short, long, value_name = "F", value_parser = formats::key_format_parser(), default_value = "ssz")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,
    /// Replace key files, and start over if the checkpoint is of another key
    #[arg(long)]
    pub(crate) force: bool,
    /// Allow a parameter set that exists for tests only and has no security
    #[arg(long)]
    pub(crate) insecure: bool,
    #[command(flatten)]
    pub(crate) file_systems: FileSystemArgs,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Where the files go.
struct Paths {
    public_key: PathBuf,
    secret_key: PathBuf,
    key_json: PathBuf,
    checkpoint: PathBuf,
}

impl Paths {
    fn new(folder: &Path, format: Format) -> Self {
        let name = format.name();
        Self {
            public_key: folder.join(format!("public-key.{name}")),
            secret_key: folder.join(format!("secret-key.{name}")),
            key_json: folder.join(key_json::NAME),
            checkpoint: folder.join(checkpoint::NAME),
        }
    }

    /// The file of the secret key: through a symbolic link that which it names is replaced, and there the ledger stands.
    fn secret_key(&self) -> PathBuf {
        fs::canonicalize(&self.secret_key).unwrap_or_else(|_| self.secret_key.clone())
    }

    /// Refuses early what would be refused in the end, after hours perhaps.
    fn check_free(&self, force: bool) -> Result<(), Failure> {
        for path in [&self.secret_key, &self.public_key, &self.key_json] {
            files::check_free(path, force)?;
        }
        Ok(())
    }
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let wanted = Wanted { scheme: args.scheme.scheme, start: args.start, active: args.active };
    if wanted.scheme.is_insecure() && !args.insecure {
        return Err(Failure::usage(format_args!(
            "{} has no security: signatures can be forged",
            wanted.scheme
        ))
        .hint("it exists for tests; --insecure allows it"));
    }
    check_format(wanted.scheme, args.format)?;
    let paths = Paths::new(&args.out, args.format);
    paths.check_free(args.force)?;
    check_pair(&args.out, &paths)?;
    let given = args.seed.read(output)?;
    let seed_is_ours = given.is_none();
    let begun = begin(&paths, wanted, given, args.force, output)?;
    let instance = key_ledger::instance_of(&begun.generation, wanted.scheme)?;
    new_key::check(&paths.secret_key(), &instance, args.force, &args.file_systems, output)?;
    remove_leftovers(&paths, output)?;
    let kept_seed = seed_is_ours.then_some(&begun.seed);
    let writer = Writer::new(&paths.checkpoint, wanted, kept_seed);
    let clock = Instant::now();
    let key = generate(begun.generation, &args.threads.pool(), writer, &paths, output)?;
    let seconds = clock.elapsed().as_secs_f64();
    let description = save(&key, args, &paths, output)?;
    match fs::remove_file(&paths.checkpoint) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let shown = paths.checkpoint.display();
            return Err(Failure::system(format_args!("cannot remove the checkpoint '{shown}': {error}"))
                .hint("the key is complete; remove the checkpoint by hand, it may hold the seed"));
        }
        _ => {}
    }
    output.line(format_args!(
        "key of {} for epochs {} in '{}' ({seconds:.1} s)\npublic key {}",
        wanted.scheme,
        Interval::from(key.activation_interval()),
        args.out.display(),
        description.public_key,
    ))?;
    output.object(&serde_json::json!({
        "scheme": description.scheme, "encoding": description.encoding, "activation": description.activation,
        "prepared": description.prepared, "public_key": description.public_key, "files": description.files,
        "folder": args.out, "resumed_trees": begun.resumed, "seconds": seconds,
    }))?;
    Ok(Exit::Good)
}

/// Refuses a folder that has a pair which would not be written over: its key.json would name another key, and the pair
/// stay, with a right to sign of its own.
fn check_pair(folder: &Path, paths: &Paths) -> Result<(), Failure> {
    let Some(old) = files::read(&paths.key_json).ok().and_then(|bytes| KeyJson::parse(&bytes)) else {
        return Ok(());
    };
    let stays = |name: &&String| {
        let path = folder.join(name.as_str());
        ![&paths.secret_key, &paths.public_key].contains(&&path) && path.symlink_metadata().is_ok()
    };
    match old.files.keys().find(stays) {
        Some(name) => {
            Err(Failure::usage(format_args!("'{}' has another key, in '{name}'", folder.display()))
                .hint("give another folder"))
        }
        None => Ok(()),
    }
}

/// Refuses early a set of which there are no secret keys, and an encoding that those of it do not have.
fn check_format(set: ParameterSet, format: Format) -> Result<(), Error> {
    let scheme = set.name();
    match set {
        _ if !set.signs() => Err(Error::VerificationOnly { scheme }),
        ParameterSet::Blake2s(_) if format != Format::Ssz => {
            Err(Error::NoEncoding { scheme, what: "signing keys", format: format.name() })
        }
        _ => Ok(()),
    }
}

/// Removes what killed runs left of the files that hold secrets.
fn remove_leftovers(paths: &Paths, output: &Output) -> Result<(), Failure> {
    for target in [&paths.secret_key, &paths.checkpoint] {
        let removed = temporary::remove_leftovers(target).map_err(|error| {
            Failure::system(format_args!("cannot clear up beside '{}': {error}", target.display()))
        })?;
        removed.iter().for_each(|path| {
            output.note(format_args!("removed '{}', which a killed process left", path.display()));
        });
    }
    Ok(())
}

/// A generation at its start.
struct Begun {
    generation: KeyGeneration,
    seed: Seed,
    /// Bottom trees taken from a checkpoint.
    resumed: usize,
}

/// Begins the generation, with what a checkpoint holds of it.
fn begin(
    paths: &Paths,
    wanted: Wanted,
    given: Option<Seed>,
    force: bool,
    output: &Output,
) -> Result<Begun, Failure> {
    let shown = paths.checkpoint.display();
    let start_over = "run the same command as before to resume, or --force to start over";
    let found = match Checkpoint::read(&paths.checkpoint) {
        Err(failure) if failure.exit != Exit::Usage => return Err(failure),
        Err(_) if force => None,
        other => other.map_err(|failure| failure.hint("--force starts over"))?,
    };
    let fresh = |given: Option<Seed>| -> Result<Begun, Failure> {
        let seed = given.map_or_else(seed::from_system, Ok)?;
        let generation = generation(wanted, &seed)?;
        Ok(Begun { generation, seed, resumed: 0 })
    };
    let Some(found) = found else { return fresh(given) };
    let refused = if found.wanted != wanted {
        let Wanted { scheme, start, active } = found.wanted;
        format!("the checkpoint '{shown}' is of another key: {scheme}, {active} epochs from {start}")
    } else if given.is_none() && found.seed.is_none() {
        format!("the checkpoint '{shown}' was begun with a seed of the user's, and none is given")
    } else {
        let seed = given.as_ref().or(found.seed.as_ref()).map(|seed| Seed::new(**seed)).unwrap_or_default();
        let mut generation = generation(wanted, &seed)?;
        if found.belongs_to(&generation) {
            for (&index, root) in &found.roots {
                generation.restore(index, root)?;
            }
            let resumed = found.roots.len();
            let trees = generation.trees();
            output.note(format_args!(
                "resuming '{shown}': {resumed} of {} bottom trees are done",
                trees.end - trees.start
            ));
            return Ok(Begun { generation, seed, resumed });
        }
        format!("the checkpoint '{shown}' was begun from another seed")
    };
    if force { fresh(given) } else { Err(Failure::usage(refused).hint(start_over)) }
}

fn generation(wanted: Wanted, seed: &Seed) -> Result<KeyGeneration, Failure> {
    let Wanted { scheme, start, active } = wanted;
    let lifetime = scheme.lifetime();
    let end = start.checked_add(active).ok_or(Error::Interval { start, count: active, lifetime })?;
    Ok(KeyGeneration::from_seed(scheme, seed, start..end)?)
}

/// All steps, with progress and checkpoints.
fn generate(
    mut generation: KeyGeneration,
    pool: &Threads,
    mut writer: Writer<'_>,
    paths: &Paths,
    output: &Output,
) -> Result<SigningKey, Failure> {
    interrupt::watch()?;
    let display = Display::new(output, generation.progress().leaves_total, Unit::Leaves);
    let progress = |progress: Progress| {
        display.show(progress.leaves_done, progress.leaves_total);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let pool: &dyn Pool = pool;
    let stopped = loop {
        match generation.step_on(pool, &progress) {
            Ok(None) => break false,
            Ok(Some(_)) if interrupt::requested() => break true,
            Ok(Some(_)) => writer.tick(&generation)?,
            Err(Error::Unfinished) => break true,
            Err(error) => return Err(error.into()),
        }
    };
    display.finish();
    if stopped {
        writer.write(&generation)?;
        let trees = generation.trees();
        let done = trees.clone().filter(|&index| generation.root(index).is_some()).count();
        return Err(Failure::new(
            Exit::Interrupted,
            format_args!(
                "interrupted with {done} of {} bottom trees done, kept in '{}'",
                trees.end - trees.start,
                paths.checkpoint.display()
            ),
        )
        .hint("run the same command again to resume"));
    }
    Ok(generation.finish()?)
}

/// Writes the key: first to its ledger, then the secret key, so that at no time a secret key stands without a ledger.
fn save(key: &SigningKey, args: &Args, paths: &Paths, output: &Output) -> Result<KeyJson, Failure> {
    let public = key.verifying_key().to_bytes(args.format)?;
    let secret = key.to_bytes(args.format)?;
    let mut description = KeyJson::of(key, args.format);
    for (path, bytes) in [(&paths.public_key, &public[..]), (&paths.secret_key, &secret[..])] {
        description.files.insert(key_json::file_name(path), FileEntry::of(bytes));
    }
    new_key::register(&paths.secret_key(), key, args.force, &args.file_systems, output)?;
    files::write(&paths.secret_key, &secret, Privacy::Secret, args.force)?;
    files::write(&paths.public_key, &public, Privacy::Public, args.force)?;
    files::write(&paths.key_json, description.to_text().as_bytes(), Privacy::Public, args.force)?;
    Ok(description)
}
