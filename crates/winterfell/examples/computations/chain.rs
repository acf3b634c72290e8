//! A chain of hashes: four elements, their digest by Rp64_256, its digest, and so on.

use super::{Computation, Table};
use winterfell::crypto::hashers::Rp64_256;
use winterfell::math::fields::f64::BaseElement;
use winterfell::math::{FieldElement, ToElements};
use winterfell::{
    Air, AirContext, Assertion, EvaluationFrame, ProofOptions, Trace, TraceInfo, TransitionConstraintDegree,
};

const WIDTH: usize = Rp64_256::STATE_WIDTH;
const ROUNDS: usize = Rp64_256::NUM_ROUNDS;
/// The first state and the one after each round.
const CYCLE: usize = ROUNDS + 1;
/// Where a hash takes its four elements, and leaves its digest.
const FIRST: usize = Rp64_256::DIGEST_RANGE.start;

type Row<E> = [E; WIDTH];

/// Four elements: a digest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Digest(pub(crate) [BaseElement; 4]);

impl ToElements<BaseElement> for Digest {
    fn to_elements(&self) -> Vec<BaseElement> {
        self.0.to_vec()
    }
}

/// What the chain begins with.
pub(crate) const SEED: Digest = Digest([
    BaseElement::new(0x243f_6a88_85a3_08d3),
    BaseElement::new(0x1319_8a2e_0370_7344),
    BaseElement::new(0xa409_3822_299f_31d0),
    BaseElement::new(0x082e_fa98_ec4e_6c89),
]);

/// Twelve columns, constraints of degree 7, eight rows for each hash. Public: the last digest.
pub(crate) struct Chain {
    context: AirContext<BaseElement>,
    last: Digest,
}

/// The state that a hash of four elements begins with: their number is in the capacity.
fn start<E: FieldElement<BaseField = BaseElement>>(elements: &[E]) -> Row<E> {
    let mut state = [E::ZERO; WIDTH];
    state[Rp64_256::CAPACITY_RANGE.start] = BaseElement::new(4).into();
    state[FIRST..FIRST + 4].copy_from_slice(elements);
    state
}

fn seventh_powers<E: FieldElement>(x: Row<E>) -> Row<E> {
    x.map(|x| (x.square() * x).square() * x)
}

fn product<E: FieldElement<BaseField = BaseElement>>(
    matrix: &[Row<BaseElement>; WIDTH],
    x: Row<E>,
) -> Row<E> {
    matrix.map(|row| row.iter().zip(x).fold(E::ZERO, |sum, (&factor, x)| sum + x.mul_base(factor)))
}

impl Air for Chain {
    type BaseField = BaseElement;
    type PublicInputs = Digest;

    fn new(info: TraceInfo, last: Digest, options: ProofOptions) -> Self {
        let degrees = vec![TransitionConstraintDegree::with_cycles(7, vec![CYCLE]); WIDTH];
        Self { context: AirContext::new(info, degrees, WIDTH + 4, options), last }
    }

    fn context(&self) -> &AirContext<BaseElement> {
        &self.context
    }

    /// In seven rows of eight, a round: the matrix, constants and seventh powers lead from either side to its middle. In the
    /// last one the digest moves on to the next hash.
    fn evaluate_transition<E: FieldElement<BaseField = BaseElement>>(
        &self,
        frame: &EvaluationFrame<E>,
        periodic: &[E],
        result: &mut [E],
    ) {
        let [now, next] =
            [frame.current(), frame.next()].map(|row| Row::try_from(row).expect("twelve columns"));
        let (is_round, constants) = (periodic[0], &periodic[1..]);
        let middle = product(&Rp64_256::MDS, seventh_powers(now));
        let before: Row<E> = core::array::from_fn(|i| next[i] - constants[WIDTH + i]);
        let powers = seventh_powers(product(&Rp64_256::INV_MDS, before));
        let moved = start(&now[Rp64_256::DIGEST_RANGE]);
        for (i, result) in result.iter_mut().enumerate() {
            let round = powers[i] - middle[i] - constants[i];
            *result = is_round * round + (E::ONE - is_round) * (next[i] - moved[i]);
        }
    }

    fn get_assertions(&self) -> Vec<Assertion<BaseElement>> {
        let first = (0..).zip(start(&SEED.0)).map(|(column, value)| Assertion::single(column, 0, value));
        let row = self.trace_length() - 1;
        let last = (FIRST..).zip(self.last.0).map(|(column, value)| Assertion::single(column, row, value));
        first.chain(last).collect()
    }

    fn get_periodic_column_values(&self) -> Vec<Vec<BaseElement>> {
        let column = |value: &dyn Fn(usize) -> BaseElement| -> Vec<_> {
            (0..ROUNDS).map(value).chain([BaseElement::ZERO]).collect()
        };
        let constants = [Rp64_256::ARK1, Rp64_256::ARK2];
        let constants =
            constants.iter().flat_map(|rounds| (0..WIDTH).map(|i| column(&|round| rounds[round][i])));
        core::iter::once(column(&|_| BaseElement::ONE)).chain(constants).collect()
    }
}

impl Computation for Chain {
    fn trace(rows: usize) -> Table {
        let mut state = start(&SEED.0);
        let mut columns = vec![Vec::new(); WIDTH];
        for row in 0..rows {
            columns.iter_mut().zip(state).for_each(|(column, element)| column.push(element));
            match row % CYCLE {
                ROUNDS => state = start(&state[Rp64_256::DIGEST_RANGE]),
                round => Rp64_256::apply_round(&mut state, round),
            }
        }
        Table::new(columns, 0)
    }

    fn public(trace: &Table) -> Digest {
        Digest(core::array::from_fn(|i| trace.get(FIRST + i, trace.length() - 1)))
    }
}
