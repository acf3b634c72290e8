//! What is known of the folders that are watched, and of their open files.
#![forbid(unsafe_code)]

use crate::record::{FileId, Op, Record};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// With this error, and nothing done.
    Error(i32),
    /// A write stops in the middle and says so; any other call fails with `EIO`.
    Short,
    /// The process is killed; in the middle, if the call is a write.
    Kill,
}

/// Which calls fail. Those that count are the ones that change or flush a file, a name or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Call `at`, counted from 1, and with `for_ever` every later one.
    Calls {
        /// The first.
        at: u64,
        /// Whether it stays so.
        for_ever: bool,
        /// How.
        fault: Fault,
    },
    /// Files may grow by so many bytes in all; then the disk is full.
    Space(u64),
}

/// What is known of a watched folder.
pub(crate) struct Folder {
    root: PathBuf,
    pub(crate) record: Record,
    files: HashMap<u64, FileId>,
    plan: Option<Plan>,
    calls: u64,
    pub(crate) grown: u64,
    /// Files without a name any more, so that the system does not give their numbers to others.
    pub(crate) nameless: Vec<Kept>,
}

/// A descriptor that is closed past the functions that are stood in for: those wait for the registry.
pub(crate) struct Kept(pub(crate) i32);

/// What an open descriptor leads to.
#[derive(Clone)]
pub(crate) enum Handle {
    File(FileId, PathBuf),
    Folder(PathBuf),
}

/// What a call is to do.
pub(crate) enum Verdict {
    Go,
    Fail(i32),
    Short,
    Kill,
}

impl Folder {
    /// A folder, with the files that it has now.
    pub(crate) fn new(root: PathBuf, record: Record) -> Self {
        let files = record.inodes.iter().map(|(&file, &inode)| (inode, file)).collect();
        Self { root, record, files, plan: None, calls: 0, grown: 0, nameless: Vec::new() }
    }

    /// From now on calls fail as `plan` says.
    pub(crate) fn set_plan(&mut self, plan: Option<Plan>) {
        (self.plan, self.calls, self.grown) = (plan, 0, 0);
    }

    /// How many calls there were since.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// Whether the next call fails.
    pub(crate) fn count(&mut self) -> Verdict {
        self.calls += 1;
        let Some(Plan::Calls { at, for_ever, fault }) = self.plan else { return Verdict::Go };
        if self.calls != at && !(for_ever && self.calls > at) {
            return Verdict::Go;
        }
        match fault {
            Fault::Error(error) => Verdict::Fail(error),
            Fault::Short => Verdict::Short,
            Fault::Kill => Verdict::Kill,
        }
    }

    /// How many bytes files may still grow by.
    pub(crate) fn space(&self) -> Option<u64> {
        match self.plan {
            Some(Plan::Space(space)) => Some(space.saturating_sub(self.grown)),
            _ => None,
        }
    }

    /// The file with this number, which has just been opened as `name`.
    pub(crate) fn opened(&mut self, inode: u64, name: &Path, is_new: bool) -> FileId {
        if let (Some(&file), false) = (self.files.get(&inode), is_new) {
            return file;
        }
        let file = self.record.inodes.len();
        self.files.insert(inode, file);
        self.record.inodes.insert(file, inode);
        self.record.ops.push(Op::Create(file, name.to_owned()));
        file
    }
}

#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) folders: BTreeMap<usize, Folder>,
    pub(crate) handles: BTreeMap<i32, (usize, Handle)>,
    next: usize,
}

impl Registry {
    /// Takes in a folder; the answer names it.
    pub(crate) fn watch(&mut self, folder: Folder) -> usize {
        let id = self.next;
        self.next += 1;
        self.folders.insert(id, folder);
        WATCHED.fetch_add(1, Ordering::Release);
        id
    }

    /// Forgets it.
    pub(crate) fn forget(&mut self, id: usize) {
        self.folders.remove(&id);
        self.handles.retain(|_, (of, _)| *of != id);
        WATCHED.fetch_sub(1, Ordering::Release);
    }

    /// The watched folder that `path` is in, and its name there.
    fn find(&self, path: &Path) -> Option<(usize, PathBuf)> {
        let inside = |(&id, folder): (&usize, &Folder)| {
            path.strip_prefix(&folder.root).ok().map(|name| (id, name.to_owned()))
        };
        self.folders.iter().find_map(inside)
    }

    /// What a descriptor leads to, if its folder is watched.
    pub(crate) fn handle(&mut self, fd: i32) -> Option<(&mut Folder, Handle)> {
        let (id, handle) = self.handles.get(&fd)?.clone();
        self.folders.get_mut(&id).map(|folder| (folder, handle))
    }
}

static WATCHED: AtomicUsize = AtomicUsize::new(0);
static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { folders: BTreeMap::new(), handles: BTreeMap::new(), next: 0 });

/// The registry, if anything is watched. While it is held nobody else's calls go on: so they have an order.
pub(crate) fn registry() -> Option<MutexGuard<'static, Registry>> {
    (WATCHED.load(Ordering::Acquire) > 0).then(locked)
}

/// The registry, the watched folder that `path` is in, and its name there. Of what is elsewhere nothing is held: it may
/// wait for another call, as both ends of a pipe do.
pub(crate) fn of_path(path: &Path) -> Option<(MutexGuard<'static, Registry>, usize, PathBuf)> {
    let registry = registry()?;
    let (id, inside) = registry.find(path)?;
    Some((registry, id, inside))
}

/// The registry, if the descriptor leads to something that is watched. Of others nothing is held.
pub(crate) fn of_descriptor(fd: i32) -> Option<MutexGuard<'static, Registry>> {
    registry().filter(|registry| registry.handles.contains_key(&fd))
}

/// The registry in any case.
pub(crate) fn locked() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
