//! What some bytes are.

use js_sys::{Array, Object, Reflect};
use phalanx_identify::{Reading, Report, next_command};
use std::ops::Range;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What some bytes are, as an object: `readings` and `problems`. `file` is what commands call them.
///
/// # Errors
/// None that is known.
#[wasm_bindgen]
pub fn identify(bytes: &[u8], file: &str) -> Result<Object, JsValue> {
    let Report { readings, problems } = phalanx_identify::identify(bytes);
    let all = readings.iter().map(|reading| object(reading, file)).collect::<Result<Vec<_>, _>>()?;
    let problems: Array = problems.iter().map(|problem| JsValue::from_str(problem)).collect();
    let report = Object::new();
    set(&report, "readings", all.iter().collect::<Array>())?;
    set(&report, "problems", problems)?;
    Ok(report)
}

/// A command to try next for what others have read, as `identify` says it of its readings.
#[wasm_bindgen(js_name = nextCommand)]
#[must_use]
pub fn next_command_for(
    kind: &str,
    scheme: Option<String>,
    format: Option<String>,
    file: &str,
) -> Option<String> {
    next_command(kind, scheme.as_deref(), format.as_deref(), file)
}

fn object(reading: &Reading, file: &str) -> Result<Object, JsValue> {
    let Reading {
        kind,
        confidence,
        scheme,
        format,
        insecure,
        activation,
        prepared,
        public_key,
        root,
        details,
    } = reading;
    let object = Object::new();
    set(&object, "kind", *kind)?;
    set(&object, "confidence", confidence.name())?;
    let next = &next_command(kind, scheme.as_deref(), format.as_deref(), file);
    let texts =
        [("next", next), ("scheme", scheme), ("format", format), ("publicKey", public_key), ("root", root)];
    for (name, text) in texts {
        if let Some(text) = text {
            set(&object, name, text.as_str())?;
        }
    }
    if let Some(insecure) = insecure {
        set(&object, "insecure", *insecure)?;
    }
    for (name, interval) in [("activation", activation), ("prepared", prepared)] {
        if let Some(Range { start, end }) = interval {
            set(&object, name, [*start, *end].map(number).into_iter().collect::<Array>())?;
        }
    }
    let more = Object::new();
    for (name, text) in details {
        set(&more, name, text.as_str())?;
    }
    set(&object, "details", more)?;
    Ok(object)
}

#[allow(clippy::cast_precision_loss, reason = "epochs are at most 2^32")]
fn number(epoch: u64) -> JsValue {
    (epoch as f64).into()
}

fn set(object: &Object, name: &str, value: impl Into<JsValue>) -> Result<(), JsValue> {
    Reflect::set(object, &name.into(), &value.into()).map(|_| ())
}
