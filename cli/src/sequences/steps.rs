//! What each kind of step does.

use super::kinds::*;
use super::world::{SET, World, public_key, record_of, run, write_private};
use crate::faults::Plan;
use phalanx::xmss::{Format, ParameterSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

impl World {
    /// One step of the sequence.
    pub(super) fn step(&mut self, kind: Kind) {
        self.history.push(format!("- {kind:?}"));
        match kind {
            SignNew
            | SignAgain
            | SignOther
            | SignOutside
            | SignKilled
            | SignFullDisk
            | SignAtOnce
            | SignThroughLink
            | ExchangeRecordWhileSigning
            | ExchangeWitnessWhileSigning => self.step_sign(kind),
            RecordCheck | RecordBegin | RecordBeginKilled => self.step_record(kind),
            KeygenAgain | KeygenKilled | KeygenElsewhere | KeygenOtherInterval | KeygenOtherSet
            | KeygenOtherSeed => {
                self.step_keygen(kind);
            }
            Convert | ConvertKilled | ConvertFullDisk => self.step_convert(kind),
            _ => self.step_files(kind),
        }
    }

    fn step_sign(&mut self, kind: Kind) {
        let (place, mut plan) = (self.place(), self.plan());
        let (mut epoch, mut message) = (self.epoch(), self.message());
        let known: Vec<_> = self.signed.iter().map(|((_, epoch), all)| (*epoch, all[0].1)).collect();
        let known = self.random.of(&known);
        match (kind, known) {
            (SignAgain, Some(known)) => (epoch, message) = known,
            (SignOther, Some((used, first))) => (epoch, message) = (used, (first + 1) % 3),
            (SignOutside, _) => epoch += 256,
            (SignKilled, _) => plan.kill_at = u32::try_from(self.random.below(16)).ok(),
            (SignFullDisk, _) => plan.room = Some(self.random.below(200)),
            (SignAtOnce, _) => return self.sign_at_once(&place, epoch),
            (SignThroughLink, _) => {
                let link = self.new_path("link");
                let _ = std::os::unix::fs::symlink(&place.0, &link);
                self.sign(&(link, place.1), epoch, message, &mut plan);
                return;
            }
            (ExchangeRecordWhileSigning | ExchangeWitnessWhileSigning, _) => {
                let is_near = kind == ExchangeRecordWhileSigning;
                let target = if is_near { Some(record_of(&place.0)) } else { self.witness() };
                let Some(target) = target else { return };
                let older =
                    self.backups.iter().filter(|(path, _)| *path == target).map(|(_, bytes)| bytes.clone());
                let mut older: Vec<_> = older.collect();
                older.extend(fs::read(&target).ok());
                let Some(bytes) = self.random.of(&older) else { return };
                let (temporary, at) =
                    (self.new_path("older"), u32::try_from(self.random.below(12)).expect("small"));
                write_private(&temporary, &bytes);
                plan.act_at = Some((at, Box::new(move || drop(fs::rename(temporary, target)))));
            }
            _ => {}
        }
        self.sign(&place, epoch, message, &mut plan);
    }

    /// Two at the same time, with two messages.
    fn sign_at_once(&mut self, place: &(PathBuf, Format), epoch: u32) {
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

    fn step_record(&mut self, kind: Kind) {
        let (place, mut plan) = (self.place(), self.plan());
        let mut args =
            format!("xmss record --secret-key {} --scheme {SET} --format {}", place.0.display(), place.1);
        // A second file that may sign would be a copy; with a witness set back, it would agree with it.
        let has_moved = fs::read(record_of(&place.0)).is_ok_and(|bytes| bytes.ends_with(b"\nmoved\n"));
        if kind != RecordCheck && !(has_moved && self.liar == Liar::Witness) {
            // The operator knows what was signed, and says so.
            let from = (self.lowest + self.random.next() % 3).min(256);
            args.push_str(&format!(" --begin --from-epoch {from}"));
            if kind == RecordBeginKilled {
                plan.kill_at = u32::try_from(self.random.below(16)).ok();
            }
            if public_key(&place).is_some() {
                self.lowest = self.lowest.max(from);
            }
        }
        self.run(&args, &mut plan);
    }

    fn step_keygen(&mut self, kind: Kind) {
        let mut plan = self.plan();
        let first = self.root.join("keys");
        let elsewhere = self.new_path("keys");
        let other_set = ParameterSet::POSEIDON2_L8_D64B8.name();
        let force = if self.random.below(2) == 0 { "--force" } else { "" };
        let out = if self.random.below(2) == 0 { first.clone() } else { elsewhere.clone() };
        let (seed, scheme, active, out) = match kind {
            KeygenAgain => ("5e", SET.name(), 256, first),
            KeygenElsewhere => ("5e", SET.name(), 256, elsewhere),
            KeygenOtherInterval => ("5e", SET.name(), 32, out),
            KeygenOtherSet => ("5e", other_set, 32, out),
            KeygenOtherSeed => ("77", SET.name(), 64, out),
            _ => {
                plan.kill_at = u32::try_from(self.random.below(20)).ok();
                ("5e", SET.name(), 256, first)
            }
        };
        let args = self.keygen(seed, scheme, active, &out, force);
        self.run(&args, &mut plan);
        let place = (out.join("secret-key.ssz"), Format::Ssz);
        // Of another seed nothing is signed here: its epochs are others.
        if kind != KeygenOtherSeed && place.0.exists() && !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    fn step_convert(&mut self, kind: Kind) {
        let (place, mut plan) = (self.place(), self.plan());
        let onto_another = self.random.below(3) == 0;
        let mut target = (
            self.new_path("converted"),
            self.random.of(&[Format::Bincode, Format::Ssz]).unwrap_or(Format::Ssz),
        );
        if onto_another {
            target.0 = self.place().0;
        }
        match kind {
            ConvertKilled => plan.kill_at = u32::try_from(self.random.below(20)).ok(),
            ConvertFullDisk => plan.room = Some(self.random.below(10)),
            _ => {}
        }
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

    fn step_files(&mut self, kind: Kind) {
        let place = self.place();
        let record = record_of(&place.0);
        let other = self.new_path("copy");
        match kind {
            CopyKey | CopyKeyAndRecord => {
                let _ = fs::copy(&place.0, &other);
                if kind == CopyKeyAndRecord {
                    let _ = fs::copy(&record, record_of(&other));
                }
                self.places.push((other, place.1));
            }
            MoveKey | MoveKeyAndRecord => {
                let _ = fs::rename(&place.0, &other);
                if kind == MoveKeyAndRecord {
                    let _ = fs::rename(&record, record_of(&other));
                }
                self.places.retain(|(path, _)| *path != place.0);
                self.places.push((other, place.1));
            }
            Backup => {
                self.remember(&place.0);
                self.remember(&record);
                if let Some(witness) = self.witness() {
                    self.remember(&witness);
                }
            }
            LinkKey | LinkRecord => {
                let linked = fs::hard_link(if kind == LinkKey { &place.0 } else { &record }, &other).is_ok();
                let (epoch, mut plan) = (self.epoch(), self.plan());
                assert!(!self.sign(&place, epoch, 1, &mut plan) || !linked, "two names of one file");
                let _ = fs::remove_file(&other);
            }
            ModeOfKey => {
                let opened = fs::set_permissions(&place.0, fs::Permissions::from_mode(0o640)).is_ok();
                let (epoch, mut plan) = (self.epoch(), self.plan());
                assert!(!self.sign(&place, epoch, 1, &mut plan) || !opened, "others can read it");
                let _ = fs::set_permissions(&place.0, fs::Permissions::from_mode(0o600));
            }
            RemoveRecord => drop(fs::remove_file(&record)),
            RemoveKey => drop(fs::remove_file(&place.0)),
            CutRecord | EmptyRecord | GarbageInRecord => self.damage(&record, kind),
            RestoreRecord => {
                self.restore(|path| path.extension().is_some_and(|e| e == "epochs") && !is_witness(path))
            }
            RestoreKeyAndRecord => {
                self.restore(|path| *path == place.0);
                self.restore(|path| *path == record);
            }
            SwapRecords => {
                let theirs = record_of(&self.place().0);
                let _ = fs::rename(&record, &other);
                let _ = fs::rename(&theirs, &record);
                let _ = fs::rename(&other, &theirs);
            }
            _ => {
                let Some(witness) = self.witness() else { return };
                match kind {
                    RemoveWitness => drop(fs::remove_file(&witness)),
                    RestoreWitness => self.restore(is_witness),
                    _ => self.damage(&witness, kind),
                }
            }
        }
    }
}

fn is_witness(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("state"))
}
