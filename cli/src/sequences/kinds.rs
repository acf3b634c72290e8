//! What can happen in a sequence: every kind of command and accident, once, with how often and when.

use super::world::World;
use crate::faults::Plan;
use phalanx::xmss::{Format, ParameterSet};

/// Who lies in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Liar {
    Nobody,
    /// The files beside the keys: copied, restored, cut, removed.
    Near,
    /// The state folder.
    State,
}

/// One kind.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// How often it is drawn, against the others.
    pub(super) weight: usize,
    /// Whether it may happen in a sequence with this liar.
    pub(super) may: fn(Liar) -> bool,
    pub(super) act: fn(&mut World),
}

/// In any sequence: nothing is lost by it.
const ANY: fn(Liar) -> bool = |_| true;

/// Second copies of a key, also by a conversion that is cut short, and second keys of its seed: what a truthful state folder
/// sees through. (Of a state folder that was set back another copy that is as old could be the key: both sides would lie.)
const COPIES: fn(Liar) -> bool = |liar| liar != Liar::State;

const NEAR: fn(Liar) -> bool = |liar| liar == Liar::Near;

const STATE: fn(Liar) -> bool = |liar| liar == Liar::State;

/// What happens in the state folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Store,
    SideLog,
    Registered,
}

/// What is done to a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Harm {
    Remove,
    Cut,
    Empty,
    Garbage,
    Restore,
}

/// A plan that kills the command at one of its first steps.
fn killed(world: &mut World, steps: usize) -> Plan {
    Plan { kill_at: u32::try_from(world.random.below(steps)).ok(), ..world.plan() }
}

/// A plan that leaves little room on the disk.
fn full(world: &mut World, room: usize) -> Plan {
    Plan { room: Some(world.random.below(room)), ..world.plan() }
}

macro_rules! kinds {
    ($($name:literal, $weight:literal, $may:ident, $act:expr;)*) => {
        /// All of them.
        pub(super) const KINDS: &[Kind] =
            &[$(Kind { name: $name, weight: $weight, may: $may, act: $act }),*];
    };
}

kinds! {
    "sign", 16, ANY, |w| { let plan = w.plan(); w.sign_some(plan) };
    "sign again", 3, ANY, |w| w.sign_known(0);
    "sign another message", 3, ANY, |w| w.sign_known(1);
    "sign outside the interval", 1, ANY, |w| {
        let (place, epoch, mut plan) = (w.place(), w.epoch() + 256, w.plan());
        w.sign(&place, epoch, 1, &mut plan);
    };
    "sign, killed", 3, ANY, |w| { let plan = killed(w, 10); w.sign_some(plan) };
    "sign on a full disk", 1, ANY, |w| { let plan = full(w, 400); w.sign_some(plan) };
    "sign twice at once", 2, ANY, |w| { let (place, epoch) = (w.place(), w.epoch()); w.sign_at_once(&place, epoch) };
    "sign through a link", 1, ANY, World::sign_through_link;
    "sign a key with two names", 1, ANY, World::sign_linked;
    "sign a store with two names", 1, ANY, World::sign_linked_store;
    "sign a key that others can read", 1, ANY, World::sign_opened;
    "ledger status", 1, ANY, |w| { w.verb("status", ""); };
    "ledger burn", 1, ANY, World::burn;
    "ledger adopt of a file", 2, ANY, |w| { let plan = w.plan(); w.adopt_some(plan) };
    "ledger adopt of a file, killed", 1, ANY, |w| { let plan = killed(w, 10); w.adopt_some(plan) };
    "ledger adopt of a ledger", 1, ANY, World::adopt_in_ledger;
    "ledger reconcile", 2, ANY, World::reconcile;
    "ledger accept-move", 1, ANY, World::accept_move;
    "ledger export", 1, ANY, |w| { w.export(false); };
    "ledger export and import", 1, ANY, |w| { w.export(true); };
    "keygen again", 1, ANY, |w| { let plan = w.plan(); w.keygen_again(plan) };
    "keygen again, killed", 1, ANY, |w| { let plan = killed(w, 20); w.keygen_again(plan) };
    "keygen again on a full disk", 1, ANY, |w| { let plan = full(w, 3000); w.keygen_again(plan) };
    "convert", 1, ANY, |w| { let plan = w.plan(); w.convert(plan) };
    "mv of key and ledger", 1, ANY, |w| w.move_key(true);
    "backup", 1, ANY, World::backup;
    "convert, killed", 1, COPIES, |w| { let plan = killed(w, 12); w.convert(plan) };
    "convert on a full disk", 1, COPIES, |w| { let plan = full(w, 2000); w.convert(plan) };
    "keygen elsewhere", 1, COPIES, |w| { let out = w.new_path("keys"); w.keygen_of("5e", super::world::SET, 256, &out) };
    "keygen for another interval", 1, COPIES, |w| { let out = w.some_folder(); w.keygen_of("5e", super::world::SET, 32, &out) };
    "keygen of another set", 1, COPIES, |w| {
        let out = w.some_folder();
        w.keygen_of("5e", ParameterSet::POSEIDON2_L8_D64B8, 32, &out);
    };
    "cp of the key", 1, COPIES, |w| w.copy_key(false);
    "cp of key and ledger", 1, COPIES, |w| w.copy_key(true);
    "keygen of another seed", 1, NEAR, |w| { let out = w.some_folder(); w.keygen_of("77", super::world::SET, 64, &out) };
    "mv of the key", 1, NEAR, |w| w.move_key(false);
    "rm of the key", 1, NEAR, |w| { let (path, _) = w.place(); let _ = std::fs::remove_file(path); };
    "rm of the ledger", 1, NEAR, World::remove_ledger;
    "rm of the store", 1, NEAR, |w| w.harm(Part::Store, Harm::Remove);
    "a store cut short", 1, NEAR, |w| w.harm(Part::Store, Harm::Cut);
    "an empty store", 1, NEAR, |w| w.harm(Part::Store, Harm::Empty);
    "garbage in the store", 1, NEAR, |w| w.harm(Part::Store, Harm::Garbage);
    "an older store", 2, NEAR, |w| w.harm(Part::Store, Harm::Restore);
    "an older key and ledger", 2, NEAR, World::restore_key_and_ledger;
    "two ledgers exchanged", 1, NEAR, World::swap_ledgers;
    "a store exchanged while signing", 2, NEAR, |w| w.exchange_while_signing(Part::Store);
    "rm of the side log", 1, STATE, |w| w.harm(Part::SideLog, Harm::Remove);
    "a side log cut short", 1, STATE, |w| w.harm(Part::SideLog, Harm::Cut);
    "an empty side log", 1, STATE, |w| w.harm(Part::SideLog, Harm::Empty);
    "garbage in the side log", 1, STATE, |w| w.harm(Part::SideLog, Harm::Garbage);
    "an older side log", 2, STATE, |w| w.harm(Part::SideLog, Harm::Restore);
    "a side log exchanged while signing", 2, STATE, |w| w.exchange_while_signing(Part::SideLog);
    "rm of the registration", 1, STATE, |w| w.harm(Part::Registered, Harm::Remove);
    "a registration cut short", 1, STATE, |w| w.harm(Part::Registered, Harm::Cut);
    "an older registration", 1, STATE, |w| w.harm(Part::Registered, Harm::Restore);
    "rm of the state folder", 1, STATE, World::remove_state;
}

/// The formats that keys have in a sequence.
pub(super) const FORMATS: [Format; 2] = [Format::Ssz, Format::Bincode];
