//! What can happen in a sequence.

/// Who lies in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Liar {
    Nobody,
    Near,
    Witness,
}

/// What can happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    SignNew,
    SignAgain,
    SignOther,
    SignOutside,
    SignKilled,
    SignFullDisk,
    SignAtOnce,
    SignThroughLink,
    RecordCheck,
    RecordBegin,
    RecordBeginKilled,
    KeygenAgain,
    KeygenKilled,
    KeygenElsewhere,
    KeygenOtherInterval,
    KeygenOtherSet,
    KeygenOtherSeed,
    Convert,
    ConvertKilled,
    ConvertFullDisk,
    CopyKey,
    CopyKeyAndRecord,
    MoveKeyAndRecord,
    Backup,
    LinkKey,
    LinkRecord,
    ModeOfKey,
    // The files beside the key lie.
    MoveKey,
    RemoveRecord,
    RemoveKey,
    CutRecord,
    EmptyRecord,
    GarbageInRecord,
    RestoreRecord,
    RestoreKeyAndRecord,
    SwapRecords,
    ExchangeRecordWhileSigning,
    // The witness lies.
    RemoveWitness,
    CutWitness,
    EmptyWitness,
    GarbageInWitness,
    RestoreWitness,
    ExchangeWitnessWhileSigning,
}

pub(super) use Kind::*;

/// What may happen in any sequence: nothing is lost by it.
pub(super) const HONEST: &[Kind] = &[
    SignNew,
    SignNew,
    SignNew,
    SignNew,
    SignNew,
    SignNew,
    SignAgain,
    SignAgain,
    SignOther,
    SignOther,
    SignOutside,
    SignKilled,
    SignKilled,
    SignFullDisk,
    SignAtOnce,
    SignThroughLink,
    RecordCheck,
    RecordBegin,
    RecordBegin,
    RecordBegin,
    RecordBeginKilled,
    KeygenAgain,
    KeygenKilled,
    Convert,
    MoveKeyAndRecord,
    Backup,
    LinkKey,
    LinkRecord,
    ModeOfKey,
];

/// Second copies beside the key, also by a conversion that is cut short, and second keys of its seed: what the witness
/// sees through.
pub(super) const COPIES: &[Kind] = &[
    ConvertKilled,
    ConvertFullDisk,
    KeygenElsewhere,
    KeygenOtherInterval,
    KeygenOtherSet,
    CopyKey,
    CopyKeyAndRecord,
];

pub(super) const NEAR_LIES: &[Kind] = &[
    MoveKey,
    RemoveRecord,
    RemoveKey,
    CutRecord,
    EmptyRecord,
    GarbageInRecord,
    RestoreRecord,
    RestoreKeyAndRecord,
    SwapRecords,
    ExchangeRecordWhileSigning,
    KeygenOtherSeed,
];

pub(super) const WITNESS_LIES: &[Kind] =
    &[RemoveWitness, CutWitness, EmptyWitness, GarbageInWitness, RestoreWitness, ExchangeWitnessWhileSigning];
