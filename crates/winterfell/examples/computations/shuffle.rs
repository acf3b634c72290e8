//! One column is another in a different order: a running product in an auxiliary column.

use super::{Computation, Table};
use winterfell::math::fields::f64::BaseElement;
use winterfell::math::{ExtensionOf, FieldElement};
use winterfell::matrix::ColMatrix;
use winterfell::{
    Air, AirContext, Assertion, AuxRandElements, EvaluationFrame, ProofOptions, Trace, TraceInfo,
    TransitionConstraintDegree,
};

/// Two columns and one auxiliary. Public: the first value, from which the others follow by squares.
pub(crate) struct Shuffle {
    context: AirContext<BaseElement>,
    first: BaseElement,
}

fn next<E: FieldElement>(value: E) -> E {
    value.square() + E::ONE
}

impl Air for Shuffle {
    type BaseField = BaseElement;
    type PublicInputs = BaseElement;

    fn new(info: TraceInfo, first: BaseElement, options: ProofOptions) -> Self {
        let (main, auxiliary) = (TransitionConstraintDegree::new(2), TransitionConstraintDegree::new(2));
        let context = AirContext::new_multi_segment(info, vec![main], vec![auxiliary], 1, 2, options);
        Self { context, first }
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
        result[0] = frame.next()[0] - next(frame.current()[0]);
    }

    fn evaluate_aux_transition<F, E>(
        &self,
        main: &EvaluationFrame<F>,
        auxiliary: &EvaluationFrame<E>,
        _: &[F],
        random: &AuxRandElements<E>,
        result: &mut [E],
    ) where
        F: FieldElement<BaseField = BaseElement>,
        E: FieldElement<BaseField = BaseElement> + ExtensionOf<F>,
    {
        let shift = random.rand_elements()[0];
        let [from, to] = [0, 1].map(|column| shift + main.current()[column].into());
        result[0] = auxiliary.next()[0] * to - auxiliary.current()[0] * from;
    }

    fn get_assertions(&self) -> Vec<Assertion<BaseElement>> {
        vec![Assertion::single(0, 0, self.first)]
    }

    fn get_aux_assertions<E: FieldElement<BaseField = BaseElement>>(
        &self,
        _: &AuxRandElements<E>,
    ) -> Vec<Assertion<E>> {
        // The last row is its own partner, so that it needs no factor.
        [0, self.trace_length() - 1].map(|row| Assertion::single(0, row, E::ONE)).into()
    }
}

impl Computation for Shuffle {
    fn trace(rows: usize) -> Table {
        let values: Vec<_> = core::iter::successors(Some(BaseElement::new(3)), |&value| Some(next(value)))
            .take(rows)
            .collect();
        // Neighbours change places, but for the last two.
        let shuffled = (0..rows).map(|i| values[if i < rows - 2 { i ^ 1 } else { i }]).collect();
        Table::new(vec![values, shuffled], 1)
    }

    fn public(trace: &Table) -> BaseElement {
        trace.get(0, 0)
    }

    fn auxiliary<E: FieldElement<BaseField = BaseElement>>(
        trace: &Table,
        random: &AuxRandElements<E>,
    ) -> ColMatrix<E> {
        let (shift, mut product) = (random.rand_elements()[0], E::ONE);
        let products = (0..trace.length()).map(|row| {
            let [from, to] = [0, 1].map(|column| shift + trace.get(column, row).into());
            let before = product;
            product = before * from / to;
            before
        });
        ColMatrix::new(vec![products.collect()])
    }
}
