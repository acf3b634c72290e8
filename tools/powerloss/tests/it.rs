//! The recorder sees what the standard library does, and its images are what its rules say.
#![cfg(target_os = "linux")]

use phalanx_powerloss::{Chance, EIO, ENOSPC, Fault, Park, Plan, Watch};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let place = std::env::temp_dir().canonicalize().expect("a place for files");
        let path = place.join(format!("phalanx-powerloss-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a new folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn honest(_: &Path) -> bool {
    false
}

#[test]
fn every_call_is_recorded() {
    let folder = Folder::new("record");
    let path = folder.0.join("a");
    let watch = Watch::start(&folder.0);
    let mut file = File::create(&path).expect("a new file");
    file.write_all(b"one").expect("room");
    file.write_all_at(b"two", 7).expect("room");
    file.sync_all().expect("a flush");
    file.set_len(4).expect("room");
    drop(file);
    let mut file = OpenOptions::new().append(true).open(&path).expect("it is there");
    file.write_all(b"end").expect("room");
    file.sync_data().expect("a flush");
    watch.mark(b"released");
    fs::rename(&path, folder.0.join("b")).expect("it can be renamed");
    File::open(&folder.0).expect("the folder").sync_all().expect("a flush");
    fs::remove_file(folder.0.join("b")).expect("it can be removed");
    let shown: Vec<String> = watch.stop().ops.iter().map(|op| format!("{op:?}")).collect();
    let wanted = [
        "Create(0, \"a\")",
        "Write(0, 0, [111, 110, 101])",
        "Write(0, 7, [116, 119, 111])",
        "Flush(0, \"a\")",
        "Truncate(0, 4)",
        "Write(0, 4, [101, 110, 100])",
        "Flush(0, \"a\")",
        "Mark([114, 101, 108, 101, 97, 115, 101, 100])",
        "Rename(\"a\", \"b\")",
        "FlushFolder(\"\")",
        "Unlink(\"b\")",
    ];
    assert_eq!(shown, wanted);
}

/// Both ends of a pipe wait for each other when they are opened.
#[test]
fn what_waits_elsewhere_holds_nobody_up() {
    let (folder, elsewhere) = (Folder::new("watched"), Folder::new("elsewhere"));
    let pipe = elsewhere.0.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let watch = Watch::start(&folder.0);
    let (said, heard) = mpsc::channel();
    for writes in [false, true] {
        let (pipe, said) = (pipe.clone(), said.clone());
        thread::spawn(move || said.send(OpenOptions::new().read(!writes).write(writes).open(pipe).is_ok()));
    }
    for _ in 0..2 {
        assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
    assert!(watch.stop().ops.is_empty());
}

/// What is flushed stays, whatever is drawn; what is not takes every form that it may.
#[test]
fn images_keep_what_is_flushed_and_nothing_else() {
    let folder = Folder::new("images");
    let path = folder.0.join("a");
    fs::write(&path, [1; 512]).expect("room");
    let watch = Watch::start(&folder.0);
    let file = OpenOptions::new().write(true).open(&path).expect("it is there");
    file.write_all_at(&[2; 512], 0).expect("room");
    file.sync_data().expect("a flush");
    file.write_all_at(&[3; 1024], 0).expect("room");
    fs::write(folder.0.join("b"), [4]).expect("room");
    let record = watch.stop();
    let (mut seen, mut chance) = (BTreeSet::new(), Chance::new(1));
    for _ in 0..500 {
        let image = record.image(record.ops.len(), &mut chance, &honest);
        let (_, bytes) = &image.files[Path::new("a")];
        let halves: Vec<u8> = bytes.chunks(512).map(|half| half[0]).collect();
        assert!(bytes.chunks(512).all(|half| half.iter().all(|byte| *byte == half[0])), "a sector is whole");
        seen.insert((halves, image.files.contains_key(Path::new("b"))));
    }
    // With and without the file whose name was not flushed: old, new, half of it, with a hole, either size.
    let forms = [vec![2], vec![3], vec![2, 0], vec![3, 0], vec![2, 3], vec![3, 3]];
    let both = forms.iter().flat_map(|form| [(form.clone(), false), (form.clone(), true)]);
    assert_eq!(seen, both.collect());
    let lies = (0..500).map(|_| record.image(record.ops.len(), &mut chance, &|_| true));
    assert!(
        lies.into_iter().any(|image| image.files[Path::new("a")].1[0] == 1),
        "a flush that lies keeps nothing"
    );
    let whole = record.after_kill(record.ops.len());
    assert_eq!(whole.files[Path::new("a")].1, [3; 1024]);
    assert_eq!(whole.files[Path::new("b")].1, [4]);
}

#[test]
fn an_image_is_laid_into_the_same_files() {
    let folder = Folder::new("park");
    let path = folder.0.join("a");
    fs::write(&path, b"before").expect("room");
    let inode = fs::metadata(&path).expect("it is there").ino();
    let watch = Watch::start(&folder.0);
    fs::rename(&path, folder.0.join("b")).expect("it can be renamed");
    fs::write(folder.0.join("c"), b"new").expect("room");
    let record = watch.stop();
    let park = Park::new(&folder.0, &record).expect("a place");
    for _ in 0..2 {
        park.lay(&record.after_kill(record.ops.len())).expect("room");
        assert_eq!(fs::metadata(folder.0.join("b")).expect("it is there").ino(), inode);
        assert_eq!(fs::read(folder.0.join("c")).expect("it is there"), b"new");
        park.lay(&record.after_kill(0)).expect("room");
        assert_eq!(fs::metadata(&path).expect("it is there").ino(), inode);
        assert!(!folder.0.join("b").exists() && !folder.0.join("c").exists());
    }
}

#[test]
fn calls_fail_as_planned() {
    let folder = Folder::new("plan");
    let watch = Watch::start(&folder.0);
    let mut file = File::create(folder.0.join("a")).expect("a new file");
    let error = |answer: std::io::Result<()>| answer.map_or_else(|error| error.raw_os_error(), |()| Some(0));
    watch.plan(Some(Plan::Calls { at: 2, for_ever: false, fault: Fault::Error(ENOSPC) }));
    let answers: Vec<_> = (0..3).map(|_| error(file.write_all(b"x"))).collect();
    assert_eq!(answers, [Some(0), Some(ENOSPC), Some(0)]);
    watch.plan(Some(Plan::Calls { at: 1, for_ever: true, fault: Fault::Error(ENOSPC) }));
    assert_eq!(error(file.sync_all()), Some(ENOSPC));
    assert_eq!(error(file.set_len(0)), Some(ENOSPC));
    assert_eq!(error(fs::rename(folder.0.join("a"), folder.0.join("b"))), Some(ENOSPC));
    assert_eq!(watch.calls(), 3);
    watch.plan(Some(Plan::Calls { at: 1, for_ever: false, fault: Fault::Short }));
    assert_eq!(file.write(b"12345678").expect("half of it"), 4);
    watch.plan(Some(Plan::Space(5)));
    assert_eq!(file.write(b"123").expect("room"), 3);
    assert_eq!(file.write(b"123").expect("some room"), 2);
    assert_eq!(error(file.write_all(b"1")), Some(ENOSPC));
    watch.plan(None);
    assert_eq!(error(file.write_all(b"1")), Some(0));
}

/// After a failed flush the memory shows what the disk does not have, and the next flush says that all is well.
#[test]
fn a_later_flush_does_not_bring_back_what_a_failed_one_has_lost() {
    let folder = Folder::new("failed");
    let watch = Watch::start(&folder.0);
    let file = File::create(folder.0.join("a")).expect("a new file");
    File::open(&folder.0).expect("the folder").sync_all().expect("a flush");
    file.write_all_at(&[1; 512], 0).expect("room");
    watch.plan(Some(Plan::Calls { at: 1, for_ever: false, fault: Fault::Error(EIO) }));
    assert!(file.sync_data().is_err());
    file.write_all_at(&[2; 512], 8192).expect("room");
    file.sync_data().expect("a flush");
    let end = watch.calls();
    file.write_all_at(&[3; 512], 512).expect("room");
    file.sync_data().expect("a flush");
    assert_eq!(end, 3);
    let record = watch.stop();
    let (early, mut chance) = (record.ops.len() - 2, Chance::new(1));
    let mut first = |end| -> BTreeSet<u8> {
        let images = (0..50).map(|_| record.image(end, &mut chance, &honest));
        images.map(|image| image.files[Path::new("a")].1[0]).collect()
    };
    assert_eq!(first(early), BTreeSet::from([0, 1]), "lost or not");
    assert_eq!(first(record.ops.len()), BTreeSet::from([1]), "its page was written again");
}
