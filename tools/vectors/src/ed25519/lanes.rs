//! How cases are put side by side: in groups of every size from 1 to 33, and in every lane.

/// The largest group: four full ones of eight lanes, and one over.
pub(crate) const MAX_GROUP: usize = 33;

/// Lanes of the widest backend.
const LANES: usize = 8;

/// Groups of `count` cases, as indexes. Every case is in every lane of eight, and in groups of many sizes; with all the
/// passes of [`thorough`] in groups of about every size.
pub(crate) struct Pass {
    /// The size of the first group.
    first: usize,
    /// The size of the second; from then on sizes grow by `growth`, up to [`MAX_GROUP`], and begin again at 1.
    second: usize,
    growth: usize,
    /// The fewest cases of the pass, with repetition: so that few cases also fill groups of every size.
    least: usize,
}

/// Enough for a group of each size.
const ALL_SIZES: usize = MAX_GROUP * (MAX_GROUP + 1) / 2;

/// All passes: 8 that move every case through all lanes of full groups, 33 with groups of every size.
pub(crate) fn thorough() -> Vec<Pass> {
    let shifts = (0..LANES).map(|shift| Pass { first: shift, second: 4 * LANES, growth: 0, least: 0 });
    shifts.chain(by_size(1)).collect()
}

/// Three passes, for kernels that take one signature at a time.
pub(crate) fn brief() -> Vec<Pass> {
    by_size(11).collect()
}

/// Groups of every size, the first pass from size 1 on, the next ones from `step` more.
fn by_size(step: usize) -> impl Iterator<Item = Pass> {
    let least = |first| if first == 0 { ALL_SIZES } else { 0 };
    (0..MAX_GROUP).step_by(step).map(move |first| Pass {
        first,
        second: first + 1,
        growth: 1,
        least: least(first),
    })
}

impl Pass {
    /// Calls `visit` with the indexes of each group.
    pub(crate) fn for_each_group(
        &self,
        count: usize,
        mut visit: impl FnMut(&[usize]) -> Result<(), String>,
    ) -> Result<(), String> {
        // The first cases come once more in the end: at the beginning they are in the first lanes only.
        let total = (count + LANES).max(self.least);
        let (mut at, mut size, mut next) = (0, self.first, self.second);
        while at < total {
            let end = total.min(at + size);
            if end > at {
                let group: Vec<usize> = (at..end).map(|index| index % count).collect();
                visit(&group)?;
            }
            (at, size) = (end, next);
            next = if next + self.growth > MAX_GROUP { 1 } else { next + self.growth };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_case_is_in_every_lane_and_every_size_occurs() {
        for count in [1, 2, 5, 12, 151, 914] {
            let (mut lanes, mut sizes) = (BTreeSet::new(), BTreeSet::new());
            for pass in thorough() {
                let visit = |group: &[usize]| {
                    sizes.insert(group.len());
                    lanes.extend(group.iter().enumerate().map(|(at, &case)| (case, at % LANES)));
                    Ok(())
                };
                pass.for_each_group(count, visit).expect("nothing fails");
            }
            assert_eq!(lanes.len(), count * LANES, "{count}");
            assert!((1..=MAX_GROUP).all(|size| sizes.contains(&size)), "{count}: {sizes:?}");
        }
    }
}
