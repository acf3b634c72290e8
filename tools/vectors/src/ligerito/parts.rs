//! The parts of a proof of the published crate, read from its bytes without knowing its sizes: bincode 1.3 of the
//! crate's structures.

use phalanx::ligerito::Gf128;
use phalanx::ligerito::ref_v08::Config;

/// The rows opened of a level and the siblings that go with them.
pub(crate) struct Opened<'a> {
    pub(crate) rows: Vec<&'a [u8]>,
    pub(crate) siblings: Vec<&'a [u8]>,
}

/// A proof.
pub(crate) struct Parts<'a> {
    /// Of level 0 and of every later one.
    pub(crate) roots: Vec<[u8; 32]>,
    pub(crate) levels: Vec<Opened<'a>>,
    pub(crate) last_vector: Vec<Gf128>,
    pub(crate) rounds: Vec<[Gf128; 3]>,
    pub(crate) claim_rounds: Vec<[Gf128; 3]>,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], String> {
        let (taken, left) = self.0.split_at_checked(len).ok_or("the proof ends too early")?;
        self.0 = left;
        Ok(taken)
    }

    fn count(&mut self) -> Result<usize, String> {
        let count = u64::from_le_bytes(self.bytes(8)?.try_into().expect("8 bytes"));
        // Nothing is as small as a byte, so a longer list cannot follow.
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= self.0.len())
            .ok_or_else(|| "a list without end".into())
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let count = self.count()?;
        (0..count).map(|_| one(self)).collect()
    }

    fn root(&mut self) -> Result<[u8; 32], String> {
        match self.bytes(33)? {
            [1, root @ ..] => Ok(root.try_into().expect("32 bytes")),
            _ => Err("a root is missing".to_owned()),
        }
    }

    fn element(&mut self) -> Result<Gf128, String> {
        Ok(Gf128(u128::from_le_bytes(self.bytes(16)?.try_into().expect("16 bytes"))))
    }

    fn rounds(&mut self) -> Result<Vec<[Gf128; 3]>, String> {
        self.list(|reader| Ok([reader.element()?, reader.element()?, reader.element()?]))
    }

    fn opened(&mut self, element_len: usize) -> Result<Opened<'a>, String> {
        let rows = self.list(|reader| {
            let len = reader.count()?;
            reader.bytes(len * element_len)
        })?;
        Ok(Opened { rows, siblings: self.list(|reader| reader.bytes(32))? })
    }
}

impl<'a> Parts<'a> {
    pub(crate) fn read(proof: &'a [u8]) -> Result<Self, String> {
        let mut reader = Reader(proof);
        let mut roots = vec![reader.root()?];
        let mut levels = vec![reader.opened(4)?];
        roots.extend(reader.list(Reader::root)?);
        levels.extend(reader.list(|reader| reader.opened(16))?);
        let last_vector = reader.list(Reader::element)?;
        levels.push(reader.opened(16)?);
        let (rounds, claim_rounds) = (reader.rounds()?, reader.rounds()?);
        if roots.len() != levels.len() || !reader.0.is_empty() {
            return Err("not a proof of the published crate".to_owned());
        }
        Ok(Self { roots, levels, last_vector, rounds, claim_rounds })
    }

    /// The bytes without lengths and tags.
    pub(crate) fn payload_len(&self) -> usize {
        let opened = |level: &Opened<'_>| {
            level.rows.iter().map(|row| row.len()).sum::<usize>() + 32 * level.siblings.len()
        };
        32 * self.roots.len()
            + self.levels.iter().map(opened).sum::<usize>()
            + 16 * self.last_vector.len()
            + 48 * (self.rounds.len() + self.claim_rounds.len())
    }

    /// The published configuration whose proofs have these sizes.
    pub(crate) fn config(&self) -> Option<Config> {
        let fits = |config: &Config| {
            let columns = |(index, level): (usize, &Opened<'_>)| {
                let len = config.levels().get(index).map(|level| 1usize << level.log2_columns);
                let element_len = if index == 0 { 4 } else { 16 };
                level.rows.iter().all(|row| Some(row.len() / element_len) == len)
            };
            config.levels().len() == self.levels.len()
                && config.rounds() == self.rounds.len()
                && 1 << config.log2_final() == self.last_vector.len()
                && self.levels.iter().enumerate().all(columns)
        };
        (10..=30).filter_map(Config::published).find(fits)
    }
}
