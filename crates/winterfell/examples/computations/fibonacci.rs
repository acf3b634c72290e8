//! The Fibonacci sequence, two terms in each row.

use super::{Computation, Table};
use winterfell::math::FieldElement;
use winterfell::math::fields::f64::BaseElement;
use winterfell::{
    Air, AirContext, Assertion, EvaluationFrame, ProofOptions, Trace, TraceInfo, TransitionConstraintDegree,
};

/// Two columns. Public: the last term.
pub(crate) struct Fibonacci {
    context: AirContext<BaseElement>,
    last: BaseElement,
}

impl Air for Fibonacci {
    type BaseField = BaseElement;
    type PublicInputs = BaseElement;

    fn new(info: TraceInfo, last: BaseElement, options: ProofOptions) -> Self {
        let degrees = vec![TransitionConstraintDegree::new(1); 2];
        Self { context: AirContext::new(info, degrees, 3, options), last }
    }

    fn context(&self) -> &AirContext<BaseElement> {
        &self.context
    }

    fn evaluate_transition<E: FieldElement<BaseField = BaseElement>>(
        &self,
        frame: &EvaluationFrame<E>,
        _: &[E],
        result: &mut [E],
    ) {
        let (now, next) = (frame.current(), frame.next());
        result[0] = next[0] - now[0] - now[1];
        result[1] = next[1] - now[1] - next[0];
    }

    fn get_assertions(&self) -> Vec<Assertion<BaseElement>> {
        vec![
            Assertion::single(0, 0, BaseElement::ONE),
            Assertion::single(1, 0, BaseElement::ONE),
            Assertion::single(1, self.trace_length() - 1, self.last),
        ]
    }
}

impl Computation for Fibonacci {
    fn trace(rows: usize) -> Table {
        let next = |&[a, b]: &[BaseElement; 2]| Some([a + b, a + b + b]);
        let rows = core::iter::successors(Some([BaseElement::ONE; 2]), next).take(rows);
        let (first, second) = rows.map(|[a, b]| (a, b)).unzip();
        Table::new(vec![first, second], 0)
    }

    fn public(trace: &Table) -> BaseElement {
        trace.get(1, trace.length() - 1)
    }
}
