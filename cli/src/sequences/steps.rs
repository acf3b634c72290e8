//! What each kind of command and accident does.

use super::kinds::{FORMATS, Harm, Liar, Part};
use super::world::{Place, SET, World, public_key, run, write_private};
use crate::faults::Plan;
use crate::key_ledger::folder_of;
use phalanx::xmss::{Format, ParameterSet};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

impl World {
    pub(super) fn sign_some(&mut self, mut plan: Plan) {
        let (place, epoch, message) = (self.place(), self.epoch(), self.message());
        self.sign(&place, epoch, message, &mut plan);
    }

    /// Asks again for an epoch that has signed: with the same message, or that many further.
    pub(super) fn sign_known(&mut self, further: u8) {
        let known: Vec<_> = self.signed.iter().map(|((_, epoch), all)| (*epoch, all[0].1)).collect();
        let (place, mut plan) = (self.place(), self.plan());
        if let Some((epoch, message)) = self.random.choice(&known) {
            self.sign(&place, epoch, (message + further) % 3, &mut plan);
        }
    }

    /// Two at the same time, with two messages.
    pub(super) fn sign_at_once(&mut self, place: &Place, epoch: u32) {
        let public = public_key(place);
        let jobs: Vec<_> =
            (0..2).map(|message| (message, self.sign_args(place, epoch, message), self.plan())).collect();
        let outs: Vec<_> = jobs.iter().map(|(message, (_, out), _)| (*message, out.clone())).collect();
        std::thread::scope(|scope| {
            for (_, (args, _), plan) in jobs {
                // A plan holds what only its own thread does.
                let state_folder = plan.state_folder;
                scope.spawn(move || drop(run(&args, &mut Plan { state_folder, ..Plan::default() })));
            }
        });
        for (message, out) in outs {
            self.note(&out, public.clone(), epoch, message);
        }
    }

    pub(super) fn sign_through_link(&mut self) {
        let ((path, format), link) = (self.place(), self.new_path("link"));
        let _ = symlink(path, &link);
        let (epoch, message, mut plan) = (self.epoch(), self.message(), self.plan());
        self.sign(&(link, format), epoch, message, &mut plan);
    }

    pub(super) fn sign_linked(&mut self) {
        let place = self.place();
        let file = place.0.clone();
        self.sign_with_second_name(&place, &file);
    }

    pub(super) fn sign_linked_store(&mut self) {
        let place = self.place();
        let store = folder_of(&place.0).join("ledger.sqlite3");
        self.sign_with_second_name(&place, &store);
    }

    fn sign_with_second_name(&mut self, place: &Place, file: &Path) {
        let other = self.new_path("name");
        let linked = fs::hard_link(file, &other).is_ok();
        let (epoch, mut plan) = (self.epoch(), self.plan());
        assert!(!self.sign(place, epoch, 1, &mut plan) || !linked, "two names of one file");
        let _ = fs::remove_file(&other);
    }

    pub(super) fn sign_opened(&mut self) {
        let place = self.place();
        let mode = |mode| fs::set_permissions(&place.0, fs::Permissions::from_mode(mode)).is_ok();
        let opened = mode(0o640);
        let (epoch, mut plan) = (self.epoch(), self.plan());
        assert!(!self.sign(&place, epoch, 1, &mut plan) || !opened, "others can read it");
        mode(0o600);
    }

    /// A file of a ledger is replaced by an older one while the ledger is open.
    pub(super) fn exchange_while_signing(&mut self, part: Part) {
        let place = self.place();
        let Some(target) = self.part(part) else { return };
        let older = self.backups.iter().filter(|(path, _)| *path == target).map(|(_, bytes)| bytes.clone());
        let older: Vec<_> = older.chain(fs::read(&target).ok()).collect();
        let Some(bytes) = self.random.choice(&older) else { return };
        let (temporary, mut plan) = (self.new_path("older"), self.plan());
        write_private(&temporary, &bytes);
        let at = u32::try_from(self.random.below(6)).expect("small");
        plan.act_at = Some((at, Box::new(move || drop(fs::rename(temporary, target)))));
        let (epoch, message) = (self.epoch(), self.message());
        self.sign(&place, epoch, message, &mut plan);
    }

    /// A verb on the ledger of some key.
    pub(super) fn verb(&mut self, verb: &str, more: &str) -> bool {
        let ledger = folder_of(&self.place().0);
        let mut plan = self.plan();
        matches!(
            self.run(&format!("ledger {verb} --ledger {} {more}", ledger.display()), &mut plan),
            Some(Ok(_))
        )
    }

    pub(super) fn burn(&mut self) {
        let to = self.lowest + self.random.u64() % 3;
        let args = format!("--yes-key-id {} --reason test --to {to}", self.key_id);
        if self.verb("burn", &args) {
            self.lowest = self.lowest.max(to);
        }
    }

    /// The operator knows what was signed, and says so.
    fn word(&mut self) -> u64 {
        (self.lowest + self.random.u64() % 3).min(256)
    }

    pub(super) fn adopt_some(&mut self, mut plan: Plan) {
        let place = self.place();
        // A second file that may sign would be a copy; a state folder that was set back would agree with it.
        if self.liar == Liar::State && !folder_of(&place.0).exists() {
            return;
        }
        let from = self.word();
        self.adopt(&place, from, &mut plan);
        self.lowest = self.lowest.max(from);
    }

    pub(super) fn adopt_in_ledger(&mut self) {
        let from = self.word();
        let args = format!("--yes-key-id {} --reason test --i-accept-epoch {from}", self.key_id);
        self.verb("adopt", &args);
        self.lowest = self.lowest.max(from);
    }

    pub(super) fn reconcile(&mut self) {
        let from = self.word();
        let place = self.place();
        // Where the side log is true nobody has to answer for what it says.
        let word = if self.liar == Liar::State { format!("--i-accept-epoch {from}") } else { String::new() };
        let Some(id) = self.ledger_id(&place) else { return };
        let ledger = folder_of(&place.0);
        let mut plan = self.plan();
        let args =
            format!("ledger reconcile --ledger {} --ledger-id {id} --reason test {word}", ledger.display());
        self.run(&args, &mut plan);
        self.lowest = self.lowest.max(from);
    }

    pub(super) fn accept_move(&mut self) {
        let from = self.word();
        let place = self.place();
        let Some(id) = self.ledger_id(&place) else { return };
        let ledger = folder_of(&place.0);
        let mut plan = self.plan();
        let args = format!(
            "ledger accept-move --ledger {} --ledger-id {id} --reason test --i-accept-epoch {from}",
            ledger.display()
        );
        self.run(&args, &mut plan);
        self.lowest = self.lowest.max(from);
    }

    /// A history leaves a ledger; to come back to a new one, `for_good`.
    pub(super) fn export(&mut self, for_good: bool) {
        let (place, out) = (self.place(), self.new_path("history"));
        let (ledger, mut plan) = (folder_of(&place.0), self.plan());
        let shown = ledger.display();
        let retire = if for_good { "--retire" } else { "" };
        let exported =
            self.run(&format!("ledger export --ledger {shown} --out {} {retire}", out.display()), &mut plan);
        if !for_good || !matches!(exported, Some(Ok(_))) {
            return;
        }
        let aside = self.new_path("retired");
        fs::rename(&ledger, &aside).expect("it was there");
        for args in [
            format!("ledger init --ledger {shown}"),
            format!("ledger import --ledger {shown} {}", out.display()),
        ] {
            let mut plan = self.plan();
            self.run(&args, &mut plan);
        }
    }

    pub(super) fn keygen_again(&mut self, mut plan: Plan) {
        let out = self.root.join("keys");
        // A key made again would take what a lying state folder says as its history.
        if self.liar == Liar::State && !folder_of(&out.join("secret-key.ssz")).exists() {
            return;
        }
        let args = self.keygen("5e", SET.name(), 256, &out);
        self.run(&args, &mut plan);
        self.remember_place((out.join("secret-key.ssz"), Format::Ssz));
    }

    pub(super) fn keygen_of(&mut self, seed: &str, set: ParameterSet, active: u64, out: &Path) {
        let args = self.keygen(seed, set.name(), active, out);
        let mut plan = self.plan();
        self.run(&args, &mut plan);
        // Of another seed nothing is signed here: its epochs are others.
        if seed == "5e" {
            self.remember_place((out.join("secret-key.ssz"), Format::Ssz));
        }
    }

    fn remember_place(&mut self, place: Place) {
        if place.0.exists() && !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    pub(super) fn convert(&mut self, mut plan: Plan) {
        let place = self.place();
        let format = self.random.choice(&FORMATS).unwrap_or(Format::Ssz);
        let path = if self.random.below(3) == 0 { self.place().0 } else { self.new_path("converted") };
        let target = (path, format);
        let args = format!(
            "convert {} {} --kind secret-key --scheme {SET} --from {} --to {} --force",
            place.0.display(),
            target.0.display(),
            place.1,
            target.1
        );
        if matches!(self.run(&args, &mut plan), Some(Err(_))) {
            return;
        }
        // A file has one format: what was there before is gone.
        if target.0.exists() && public_key(&target).is_some() {
            self.places.retain(|(path, _)| *path != target.0);
            self.places.push(target);
        }
    }

    pub(super) fn copy_key(&mut self, with_ledger: bool) {
        let ((path, format), other) = (self.place(), self.new_path("copy"));
        let _ = fs::copy(&path, &other);
        if with_ledger {
            copy_folder(&folder_of(&path), &folder_of(&other));
        }
        self.places.push((other, format));
    }

    pub(super) fn move_key(&mut self, with_ledger: bool) {
        let ((path, format), other) = (self.place(), self.new_path("moved"));
        let _ = fs::rename(&path, &other);
        if with_ledger {
            let _ = fs::rename(folder_of(&path), folder_of(&other));
        }
        self.places.retain(|(place, _)| *place != path);
        self.places.push((other, format));
    }

    pub(super) fn remove_ledger(&mut self) {
        let _ = fs::remove_dir_all(folder_of(&self.place().0));
    }

    pub(super) fn remove_state(&mut self) {
        let _ = fs::remove_dir_all(self.root.join("state"));
    }

    pub(super) fn swap_ledgers(&mut self) {
        let (mine, theirs, aside) =
            (folder_of(&self.place().0), folder_of(&self.place().0), self.new_path("aside"));
        let _ = fs::rename(&mine, &aside);
        let _ = fs::rename(&theirs, &mine);
        let _ = fs::rename(&aside, &theirs);
    }

    pub(super) fn backup(&mut self) {
        let (path, _) = self.place();
        self.remember(&path);
        for part in [Part::Store, Part::SideLog, Part::Registered] {
            if let Some(file) = self.part(part) {
                self.remember(&file);
            }
        }
        // A store's journal goes with it.
        let ledger = folder_of(&path);
        for name in ["ledger.sqlite3", "ledger.sqlite3-wal", "ledger.lock"] {
            self.remember(&ledger.join(name));
        }
    }

    pub(super) fn restore_key_and_ledger(&mut self) {
        let (path, _) = self.place();
        let ledger = folder_of(&path);
        self.restore(|file| *file == *path);
        self.restore(|file| *file == *ledger.join("ledger.sqlite3"));
        let _ = fs::remove_file(ledger.join("ledger.sqlite3-wal"));
    }

    /// Cuts, empties, fills, removes or sets back a file.
    pub(super) fn harm(&mut self, part: Part, harm: Harm) {
        let Some(file) = self.part(part) else { return };
        let Ok(mut bytes) = fs::read(&file) else { return };
        match harm {
            Harm::Remove => return drop(fs::remove_file(&file)),
            Harm::Restore => return self.restore(|path| *path == *file),
            Harm::Cut => bytes.truncate(self.random.below(bytes.len() + 1)),
            Harm::Empty => bytes.clear(),
            Harm::Garbage => {
                let junk: [&[u8]; 4] = [b"garbage\n", b"000000000009 ", b"\0\0\0\0\0\0\0\0\0\0\0\0", b"\n"];
                bytes.extend_from_slice(self.random.choice(&junk).unwrap_or_default());
            }
        }
        // In place: the mode stays.
        let _ = fs::write(file, bytes);
    }
}

/// As `cp -a` does it.
fn copy_folder(from: &Path, to: &Path) {
    let Ok(files) = fs::read_dir(from) else { return };
    let _ = fs::create_dir(to);
    let _ = fs::set_permissions(to, fs::Permissions::from_mode(0o700));
    let paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    for path in paths {
        let _ = fs::copy(&path, to.join(path.file_name().unwrap_or_default()));
    }
}
