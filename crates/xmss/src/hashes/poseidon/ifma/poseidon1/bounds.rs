//! Proof of the bounds: the permutations, run on what is known about a lane.
//!
//! A value is an integer combination of symbols with known ranges, so that the cancellations inside a linear layer are
//! seen, and so that words kept only modulo `2^52` have a meaning: their coefficients are reduced to the centre.
//! Products make new symbols. Whatever is rounded down or carried must lie in `0..2^52` for all values of the symbols.

use super::super::ops::{LOW, P, ResidueLanes};
use super::cube::CubeLanes;
use super::{width16, width24};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::RefCell;

const LIMIT: i128 = 1 << 52;

#[derive(Clone, Default)]
struct Form {
    constant: i128,
    /// Symbol to coefficient.
    terms: BTreeMap<usize, i128>,
    /// A low half of a product plus a constant: only its low 52 bits are used, or all 64 in a sum of low halves.
    low: bool,
}

#[derive(Default)]
struct Ledger {
    symbols: Vec<(i128, i128)>,
    forms: Vec<Form>,
    /// The largest integer whose product was rounded.
    largest: i128,
}

/// Modulo `2^52`, in `-2^51..2^51`.
fn centred(x: i128) -> i128 {
    (x + LIMIT / 2).rem_euclid(LIMIT) - LIMIT / 2
}

#[derive(Clone, Copy)]
struct Proof<'a>(&'a RefCell<Ledger>);

impl Proof<'_> {
    fn form(self, x: usize) -> Form {
        self.0.borrow().forms[x].clone()
    }

    fn put(self, mut form: Form) -> usize {
        form.terms.retain(|_, c| *c != 0);
        let mut ledger = self.0.borrow_mut();
        ledger.forms.push(form);
        ledger.forms.len() - 1
    }

    /// A new symbol.
    fn symbol(self, min: i128, max: i128) -> usize {
        assert!(min <= max);
        let symbol = self.0.borrow().symbols.len();
        self.0.borrow_mut().symbols.push((min, max));
        self.put(Form { terms: [(symbol, 1)].into(), ..Form::default() })
    }

    fn range(self, x: usize) -> (i128, i128) {
        let form = self.form(x);
        let ledger = self.0.borrow();
        form.terms.iter().fold((form.constant, form.constant), |(min, max), (&s, &c)| {
            let (a, b) = ledger.symbols[s];
            (min + (a * c).min(b * c), max + (a * c).max(b * c))
        })
    }

    /// `x + factor y`.
    fn combine(self, x: usize, y: usize, factor: i128) -> usize {
        let (mut x, y) = (self.form(x), self.form(y));
        x.constant += factor * y.constant;
        for (s, c) in y.terms {
            *x.terms.entry(s).or_default() += factor * c;
        }
        x.low = false;
        self.put(x)
    }

    /// The range of an operand of `hi`.
    fn operand(self, x: usize) -> (i128, i128) {
        if self.form(x).low {
            return (0, LIMIT - 1);
        }
        let (min, max) = self.exact(x);
        let mut ledger = self.0.borrow_mut();
        ledger.largest = ledger.largest.max(max);
        (min, max)
    }

    /// The range of `x`, known modulo `2^52`, which must be that of one integer below `2^52`.
    fn exact(self, x: usize) -> (i128, i128) {
        let mut form = self.form(x);
        form.terms.values_mut().for_each(|c| *c = centred(*c));
        let x = self.put(form);
        let (min, max) = self.range(x);
        assert!(0 <= min && max < LIMIT, "{min}..={max} is no operand");
        (min, max)
    }
}

impl ResidueLanes for Proof<'_> {
    type V = usize;

    fn splat(self, x: u64) -> usize {
        self.put(Form { constant: i128::from(x), ..Form::default() })
    }

    fn add(self, a: usize, b: usize) -> usize {
        self.combine(a, b, 1)
    }

    fn sub(self, a: usize, b: usize) -> usize {
        self.combine(a, b, -1)
    }

    fn lo(self, c: usize, a: usize, b: usize) -> usize {
        let factor = self.form(b);
        let k = centred(factor.constant);
        let (min, max) = self.range(a);
        let small = factor.terms.is_empty() && k.abs() < 1 << 20;
        if small && (min < 0 || k < 0 || max * k < LIMIT) {
            // Exact, or (where negative) known modulo 2^52 only; `exact` finds out whether that is enough.
            return self.combine(c, a, k);
        }
        let product = self.symbol(0, i128::from(LOW));
        let sum = self.combine(c, product, 1);
        assert!(self.range(sum).1 < 1 << 64, "a sum of low halves fits");
        let mut form = self.form(sum);
        form.low = true;
        self.put(form)
    }

    fn hi(self, c: usize, a: usize, b: usize) -> usize {
        let ((a0, a1), (b0, b1)) = (self.operand(a), self.operand(b));
        self.combine(c, self.symbol((a0 * b0) >> 52, (a1 * b1) >> 52), 1)
    }

    fn carries(self, x: usize) -> usize {
        let (min, max) = self.range(x);
        assert!(0 <= min && max < 1 << 64, "all 64 bits count");
        self.symbol(min >> 52, max >> 52)
    }
}

impl CubeLanes for Proof<'_> {
    fn divide(self, acc: usize, x: usize) -> usize {
        // Not an operand of `hi`, but its upper half must be nothing.
        self.exact(x);
        self.combine(acc, self.symbol(0, i128::from(P) - 1), 1)
    }
}

impl width24::Stages for Proof<'_> {}

/// Words with every value below `2^38`.
fn inputs<const T: usize>(a: Proof) -> [[usize; T]; 2] {
    core::array::from_fn(|_| core::array::from_fn(|_| a.symbol(0, (1 << 38) - 1)))
}

#[test]
fn bounds_of_width_16_hold_for_all_inputs() {
    let ledger = RefCell::default();
    let a = Proof(&ledger);
    let mut x = inputs(a);
    width16::rounds(a, &mut x);
    for x in &x {
        for y in width16::last_layer(a, x) {
            let (min, max) = a.range(a.divide(a.splat(0), y));
            assert!(0 <= min && max < 1 << 33);
        }
    }
    // Cubes are exact up to 2^48.
    assert!(ledger.borrow().largest < 1 << 46, "{}", ledger.borrow().largest);
}

#[test]
fn bounds_of_width_24_hold_for_all_inputs() {
    let ledger = RefCell::default();
    let a = Proof(&ledger);
    let mut x = inputs(a);
    width24::rounds(a, &mut x);
    for x in x.as_flattened() {
        let (min, max) = a.range(*x);
        assert!(0 <= min && max < 1 << 33);
    }
    assert!(ledger.borrow().largest < 1 << 41, "{}", ledger.borrow().largest);
}
