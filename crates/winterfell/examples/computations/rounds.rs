//! A chain of rounds like those of an algebraic hash: powers, a mixing matrix, constants of a period.

use super::{Computation, Table};
use winterfell::math::FieldElement;
use winterfell::math::fields::f64::BaseElement;
use winterfell::{
    Air, AirContext, Assertion, EvaluationFrame, ProofOptions, Trace, TraceInfo, TransitionConstraintDegree,
};

const WIDTH: usize = 12;
const PERIOD: usize = 8;

/// Twelve columns, constraints of degree 7. Public: the first element of the last row.
pub(crate) struct Rounds {
    context: AirContext<BaseElement>,
    last: BaseElement,
}

/// The state after `state`: element i is the sum of (i + 2j + 1 mod 13) x_j^7, and the round's constant, which is added in
/// the first place.
fn next<E: FieldElement<BaseField = BaseElement>>(state: &[E], constant: E) -> [E; WIDTH] {
    let powers: Vec<E> = state
        .iter()
        .map(|&x| {
            let cube = x.square() * x;
            cube.square() * x
        })
        .collect();
    let mut next = [E::ZERO; WIDTH];
    for (i, element) in (0u32..).zip(&mut next) {
        for (j, power) in (0u32..).zip(&powers) {
            *element += power.mul_base(BaseElement::from((i + 2 * j + 1) % 13));
        }
    }
    next[0] += constant;
    next
}

fn constants() -> Vec<BaseElement> {
    (1..=PERIOD as u64).map(|i| BaseElement::new(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(i))).collect()
}

impl Air for Rounds {
    type BaseField = BaseElement;
    type PublicInputs = BaseElement;

    fn new(info: TraceInfo, last: BaseElement, options: ProofOptions) -> Self {
        let degrees = vec![TransitionConstraintDegree::new(7); WIDTH];
        Self { context: AirContext::new(info, degrees, WIDTH + 1, options), last }
    }

    fn context(&self) -> &AirContext<BaseElement> {
        &self.context
    }

    fn evaluate_transition<E: FieldElement<BaseField = BaseElement>>(
        &self,
        frame: &EvaluationFrame<E>,
        periodic: &[E],
        result: &mut [E],
    ) {
        let wanted = next(frame.current(), periodic[0]);
        for ((result, next), wanted) in result.iter_mut().zip(frame.next()).zip(wanted) {
            *result = *next - wanted;
        }
    }

    fn get_assertions(&self) -> Vec<Assertion<BaseElement>> {
        let first = (0u32..).take(WIDTH).map(|i| Assertion::single(i as usize, 0, BaseElement::from(i)));
        first.chain([Assertion::single(0, self.trace_length() - 1, self.last)]).collect()
    }

    fn get_periodic_column_values(&self) -> Vec<Vec<BaseElement>> {
        vec![constants()]
    }
}

impl Computation for Rounds {
    fn trace(rows: usize) -> Table {
        let constants = constants();
        let mut state: [BaseElement; WIDTH] = core::array::from_fn(|i| BaseElement::new(i as u64));
        let mut columns = vec![Vec::new(); WIDTH];
        for row in 0..rows {
            columns.iter_mut().zip(state).for_each(|(column, element)| column.push(element));
            state = next(&state, constants[row % PERIOD]);
        }
        Table::new(columns, 0)
    }

    fn public(trace: &Table) -> BaseElement {
        trace.get(0, trace.length() - 1)
    }
}
