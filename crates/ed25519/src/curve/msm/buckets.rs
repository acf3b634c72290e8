//! Which points belong in which bucket, for some windows of all scalars.

use super::digits::{Shape, raw_digit};
use super::terms::{NEGATIVE, Terms};
use alloc::vec::Vec;

/// A sum of points: those of `list[start..start + len]`, to be written to row `row`.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) start: u32,
    pub(super) len: u32,
    pub(super) row: u32,
}

/// The buckets of a few windows, as lists of points. Buffers are used again from one group of windows to the next.
#[derive(Default)]
pub(super) struct Lists {
    /// Indexes of points, bucket after bucket, window after window.
    pub(super) list: Vec<u32>,
    /// What to sum; those of like length stand together.
    pub(super) tasks: Vec<Task>,
    /// Rows of buckets that no point falls into.
    pub(super) empty: Vec<u32>,
    /// Rows that hold a part of a long bucket: (part, bucket).
    pub(super) parts: Vec<(u32, u32)>,
    /// How many rows there are.
    pub(super) rows: usize,
    digits: Vec<i32>,
    counts: Vec<u32>,
    unsorted: Vec<Task>,
}

impl Lists {
    /// Sorts the points of the windows from `first` on, `windows` of them (windows past the last are empty). The bucket
    /// of digit d of window `first + i` gets the row (d - 1) `windows` + i.
    pub(super) fn fill(&mut self, terms: &Terms, shape: &Shape, first: usize, windows: usize) {
        self.list.clear();
        self.unsorted.clear();
        self.empty.clear();
        self.parts.clear();
        self.rows = shape.buckets() * windows;
        // Lists much longer than their neighbours would leave lanes idle: they are cut.
        let longest = 2 * (terms.len() / shape.buckets()) + 8;
        for i in 0..windows {
            let mut start = index(self.list.len());
            self.window(terms, shape, first + i);
            for bucket in 1..=shape.buckets() {
                let row = index((bucket - 1) * windows + i);
                let end = self.counts[bucket];
                if start == end {
                    self.empty.push(row);
                }
                self.cut(start, end, row, longest);
                start = end;
            }
        }
        self.sort_tasks(longest);
    }

    /// Appends the points of one window to the list, sorted by bucket; leaves in `counts` where each bucket ends.
    fn window(&mut self, terms: &Terms, shape: &Shape, window: usize) {
        let at = window * shape.width;
        self.counts.clear();
        self.counts.resize(shape.buckets() + 1, 0);
        self.digits.clear();
        for (digits, count) in [(&terms.long, shape.long), (&terms.short, shape.short)] {
            if window < count {
                // The highest digit carries no bias.
                let half = if window + 1 < count { 1i32 << (shape.width - 1) } else { 0 };
                for digits in digits {
                    let digit = raw_digit(digits, at, shape.width).cast_signed() - half;
                    self.digits.push(digit);
                    self.counts[digit.unsigned_abs() as usize] += 1;
                }
            }
        }
        // Where each bucket begins; the bucket of 0 is left out by letting it end where the window begins.
        let mut end = index(self.list.len()) + index(self.digits.len()) - self.counts[0];
        self.list.resize(end as usize, 0);
        for count in self.counts[1..].iter_mut().rev() {
            end -= *count;
            *count = end;
        }
        let (long, short) = (window < shape.long, window < shape.short);
        let points = terms.long_points[..if long { terms.long_points.len() } else { 0 }]
            .iter()
            .chain(&terms.short_points[..if short { terms.short_points.len() } else { 0 }]);
        for (&digit, &point) in self.digits.iter().zip(points) {
            if digit != 0 {
                let place = &mut self.counts[digit.unsigned_abs() as usize];
                self.list[*place as usize] = point ^ (digit.cast_unsigned() & NEGATIVE);
                *place += 1;
            }
        }
    }

    /// Tasks for one bucket.
    fn cut(&mut self, mut start: u32, end: u32, row: u32, longest: usize) {
        let mut to = row;
        while start < end {
            let len = (end - start).min(index(longest));
            self.unsorted.push(Task { start, len, row: to });
            if to != row {
                self.parts.push((to, row));
            }
            start += len;
            if start < end {
                to = index(self.rows);
                self.rows += 1;
            }
        }
    }

    fn sort_tasks(&mut self, longest: usize) {
        self.counts.clear();
        self.counts.resize(longest + 2, 0);
        for task in &self.unsorted {
            self.counts[task.len as usize + 1] += 1;
        }
        for i in 1..self.counts.len() {
            self.counts[i] += self.counts[i - 1];
        }
        self.tasks.clear();
        self.tasks.resize(self.unsorted.len(), Task { start: 0, len: 0, row: 0 });
        for task in &self.unsorted {
            let place = &mut self.counts[task.len as usize];
            self.tasks[*place as usize] = *task;
            *place += 1;
        }
    }
}

/// Lists are far shorter than 2^31.
#[expect(clippy::cast_possible_truncation, reason = "checked")]
pub(super) fn index(i: usize) -> u32 {
    debug_assert!(i < NEGATIVE as usize);
    i as u32
}
