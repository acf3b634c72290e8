//! What a disk may hold after the power went.
#![forbid(unsafe_code)]

use crate::record::{FileId, Op, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a disk writes whole or not at all.
const SECTOR: usize = 512;
/// What the system keeps in memory as one piece.
const PAGE: usize = 4096;

/// Numbers that look random and can be had again from their seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The numbers of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to, not including, `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let end = u64::try_from(end).expect("a size").max(1);
        usize::try_from((z ^ (z >> 31)) % end).expect("below a size")
    }
}

/// How much of what was not flushed has reached the disk.
#[derive(Clone, Copy)]
enum Survival {
    Nothing,
    Everything,
    /// What was done first, up to some point.
    Beginning,
    /// Any part, in any order.
    Anything,
}

impl Survival {
    fn draw(chance: &mut Chance) -> Self {
        match chance.below(6) {
            0 => Self::Nothing,
            1 => Self::Everything,
            2 => Self::Beginning,
            _ => Self::Anything,
        }
    }
}

/// Names and contents.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// The file of each name, and its contents.
    pub files: BTreeMap<PathBuf, (FileId, Vec<u8>)>,
}

impl Record {
    /// What the next process finds if this one is killed before operation `end`: everything, flushed or not.
    #[must_use]
    pub fn after_kill(&self, end: usize) -> Image {
        let (mut names, mut contents) = (self.names.clone(), self.base.clone());
        for op in &self.ops[..end] {
            if let Op::Write(file, ..) | Op::Truncate(file, _) = op {
                apply(contents.entry(*file).or_default(), op);
            }
            rename(&mut names, op);
        }
        let file = |(name, file)| (name, (file, contents.get(&file).cloned().unwrap_or_default()));
        Image { files: names.into_iter().map(file).collect() }
    }

    /// What may be on the disk if the power goes before operation `end`. Flushes of files for whose names `lies` holds, as
    /// they were opened, are reported as done and do nothing; `.` is asked for folders.
    #[must_use]
    pub fn image(&self, end: usize, chance: &mut Chance, lies: &dyn Fn(&Path) -> bool) -> Image {
        let mut files: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
        let mut flushed: BTreeMap<FileId, usize> = BTreeMap::new();
        let mut folders: BTreeMap<&Path, usize> = BTreeMap::new();
        for (at, op) in self.ops[..end].iter().enumerate() {
            match op {
                Op::Write(file, ..) | Op::Truncate(file, _) => files.entry(*file).or_default().push(at),
                Op::Flush(file, name) if !lies(name) => drop(flushed.insert(*file, at)),
                Op::FlushFolder(folder) if !lies(Path::new(".")) => drop(folders.insert(folder, at)),
                _ => {}
            }
        }
        let names = self.names_after(end, &folders, chance);
        let mut contents: BTreeMap<FileId, Vec<u8>> = BTreeMap::new();
        for &file in names.values() {
            let ops = files.get(&file).map_or(&[][..], Vec::as_slice);
            let durable = flushed.get(&file).copied().unwrap_or(0);
            contents.entry(file).or_insert_with(|| self.contents(file, ops, durable, chance));
        }
        let file = |(name, file): (PathBuf, FileId)| (name, (file, contents[&file].clone()));
        Image { files: names.into_iter().map(file).collect() }
    }

    fn names_after(
        &self,
        end: usize,
        folders: &BTreeMap<&Path, usize>,
        chance: &mut Chance,
    ) -> BTreeMap<PathBuf, FileId> {
        let mut names = self.names.clone();
        let survival = Survival::draw(chance);
        let mut goes_on = true;
        for (at, op) in self.ops[..end].iter().enumerate() {
            let (Op::Create(_, name) | Op::Rename(_, name) | Op::Link(_, name) | Op::Unlink(name)) = op
            else {
                continue;
            };
            let folder = name.parent().unwrap_or(Path::new(""));
            let is_durable = folders.get(folder).is_some_and(|&flush| at < flush);
            let survives = match survival {
                Survival::Nothing => false,
                Survival::Everything => true,
                Survival::Beginning => {
                    goes_on &= is_durable || chance.below(3) > 0;
                    goes_on
                }
                Survival::Anything => chance.below(2) == 0,
            };
            if is_durable || survives {
                rename(&mut names, op);
            }
        }
        names
    }

    fn contents(&self, file: FileId, ops: &[usize], durable: usize, chance: &mut Chance) -> Vec<u8> {
        let mut disk = self.base.get(&file).cloned().unwrap_or_default();
        let (before, after) = ops.split_at(ops.partition_point(|&at| at < durable));
        let lost = self.given_up(file, before);
        if lost.is_empty() {
            before.iter().for_each(|&at| apply(&mut disk, &self.ops[at]));
        } else {
            disk = self.with_losses(disk, before, &lost, chance);
        }
        let after = match Survival::draw(chance) {
            Survival::Nothing => return disk,
            Survival::Everything => {
                after.iter().for_each(|&at| apply(&mut disk, &self.ops[at]));
                return disk;
            }
            Survival::Beginning => {
                let some = chance.below(after.len() + 1);
                after[..some].iter().for_each(|&at| apply(&mut disk, &self.ops[at]));
                &after[some..(some + 1).min(after.len())]
            }
            Survival::Anything => after,
        };
        self.scatter(disk, after, chance)
    }

    /// Those of the operations that came before a failed flush and after the flush before that.
    fn given_up(&self, file: FileId, ops: &[usize]) -> BTreeSet<usize> {
        let (mut waiting, mut lost) = (Vec::new(), BTreeSet::new());
        let (Some(&first), Some(&last)) = (ops.first(), ops.last()) else { return lost };
        for (at, op) in (first..).zip(&self.ops[first..]) {
            match op {
                Op::Write(of, ..) if *of == file && at <= last => waiting.push(at),
                Op::Flush(of, _) if *of == file => waiting.clear(),
                Op::FailedFlush(of) if *of == file => lost.extend(waiting.drain(..)),
                _ => {}
            }
        }
        lost
    }

    /// The operations, of which any sector of those `lost` is not on the disk, though the memory shows it. A page that is
    /// written to later goes to the disk as a whole.
    fn with_losses(
        &self,
        disk: Vec<u8>,
        ops: &[usize],
        lost: &BTreeSet<usize>,
        chance: &mut Chance,
    ) -> Vec<u8> {
        let (mut memory, mut disk) = (disk.clone(), disk);
        for &at in ops {
            apply(&mut memory, &self.ops[at]);
            disk.resize(memory.len(), 0);
            let Op::Write(_, offset, bytes) = &self.ops[at] else { continue };
            let start = usize::try_from(*offset).expect("a file of a test is small");
            let grain = if lost.contains(&at) { SECTOR } else { PAGE };
            for piece in start / grain..(start + bytes.len()).div_ceil(grain) {
                if grain == PAGE || chance.below(2) == 0 {
                    let place = piece * grain..((piece + 1) * grain).min(memory.len());
                    disk[place.clone()].copy_from_slice(&memory[place]);
                }
            }
        }
        disk
    }

    /// Of the operations `after`, any sector of any of them, or none, or zeros where there was nothing.
    fn scatter(&self, disk: Vec<u8>, after: &[usize], chance: &mut Chance) -> Vec<u8> {
        let mut memory = disk.clone();
        let mut sizes = vec![disk.len()];
        let mut written: BTreeMap<usize, Vec<Vec<u8>>> = BTreeMap::new();
        for &at in after {
            apply(&mut memory, &self.ops[at]);
            sizes.push(memory.len());
            if let Op::Write(_, offset, bytes) = &self.ops[at] {
                let start = usize::try_from(*offset).expect("a file of a test is small");
                let sectors = start / SECTOR..(start + bytes.len()).div_ceil(SECTOR);
                sectors.for_each(|sector| written.entry(sector).or_default().push(piece(&memory, sector)));
            }
        }
        let size = match chance.below(3) {
            0 => sizes[0],
            1 => memory.len(),
            _ => sizes[chance.below(sizes.len())],
        };
        let mut image = disk.clone();
        image.resize(size, 0);
        for (sector, versions) in written {
            let start = sector * SECTOR;
            let choice = chance.below(4);
            let bytes = match choice {
                0 => continue,
                // A block that was allocated and never written. What was there before is not a hole.
                1 if start >= disk.len() => vec![0; SECTOR],
                1 | 2 => versions[versions.len() - 1].clone(),
                _ => versions[chance.below(versions.len())].clone(),
            };
            if start < size {
                let len = SECTOR.min(size - start);
                image[start..start + len].copy_from_slice(&bytes[..len]);
            }
        }
        image
    }
}

fn rename(names: &mut BTreeMap<PathBuf, FileId>, op: &Op) {
    match op {
        Op::Create(file, name) => drop(names.insert(name.clone(), *file)),
        Op::Rename(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
        Op::Link(from, to) => {
            if let Some(&file) = names.get(from) {
                names.insert(to.clone(), file);
            }
        }
        Op::Unlink(name) => drop(names.remove(name)),
        _ => {}
    }
}

fn apply(contents: &mut Vec<u8>, op: &Op) {
    match op {
        Op::Write(_, offset, bytes) => {
            let start = usize::try_from(*offset).expect("a file of a test is small");
            if contents.len() < start + bytes.len() {
                contents.resize(start + bytes.len(), 0);
            }
            contents[start..start + bytes.len()].copy_from_slice(bytes);
        }
        Op::Truncate(_, size) => contents.resize(usize::try_from(*size).expect("a small file"), 0),
        _ => {}
    }
}

/// A sector of a file, with zeros after its end.
fn piece(contents: &[u8], sector: usize) -> Vec<u8> {
    let start = (sector * SECTOR).min(contents.len());
    let mut piece = contents[start..(start + SECTOR).min(contents.len())].to_vec();
    piece.resize(SECTOR, 0);
    piece
}

/// Keeps the files of a folder that has been watched, so that each of its images has the same files, by the system's
/// numbers, as the folder had: a power loss does not change those.
#[derive(Debug)]
pub struct Park {
    folder: PathBuf,
    park: PathBuf,
    inodes: BTreeMap<FileId, u64>,
}

impl Park {
    /// For the images of `record`, in the folder where it was made. Nobody may have that folder open.
    ///
    /// # Errors
    /// The system's.
    pub fn new(folder: &Path, record: &Record) -> io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(format!("-park-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        let park = folder.with_file_name(name);
        DirBuilder::new().mode(0o700).create(&park)?;
        Ok(Self { folder: folder.to_owned(), park, inodes: record.inodes.clone() })
    }

    /// Makes the folder what `image` says.
    ///
    /// # Errors
    /// The system's.
    pub fn lay(&self, image: &Image) -> io::Result<()> {
        let known: BTreeSet<u64> = self.inodes.values().copied().collect();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let inode = fs::symlink_metadata(&path)?.ino();
            if known.contains(&inode) {
                fs::rename(&path, self.park.join(inode.to_string()))?;
            } else {
                fs::remove_file(&path)?;
            }
        }
        for (name, (file, contents)) in &image.files {
            let path = self.folder.join(name);
            if let Some(inode) = self.inodes.get(file) {
                let parked = self.park.join(inode.to_string());
                if parked.exists() {
                    fs::rename(parked, &path)?;
                }
            }
            fs::write(&path, contents)?;
            fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        }
        Ok(())
    }
}

impl Drop for Park {
    fn drop(&mut self) {
        // A folder in memory, or under the temporary one.
        let _ = fs::remove_dir_all(&self.park);
    }
}
