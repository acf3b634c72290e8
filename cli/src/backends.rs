//! Backends by name: the variable `PHALANX_BACKEND`, and `--backend`.

use crate::exit::Failure;
use phalanx::Backend;

/// The backend that `PHALANX_BACKEND` asks for; unset or empty means the best.
pub(crate) fn forced() -> Result<Option<Backend>, Failure> {
    let Some(name) = std::env::var_os("PHALANX_BACKEND").filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    named(&name.to_string_lossy(), "PHALANX_BACKEND: ").map(Some)
}

/// The backends that `--backend` names, slowest first; without it the one that is forced, or all.
pub(crate) fn chosen(name: Option<&str>) -> Result<Vec<Backend>, Failure> {
    let all = || Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
    match name {
        Some("all") => Ok(all()),
        Some(name) => Ok(vec![named(name, "")?]),
        None => Ok(forced()?.map_or_else(all, |backend| vec![backend])),
    }
}

/// The backend called `name`; errors begin with `source`.
fn named(name: &str, source: &str) -> Result<Backend, Failure> {
    let problem = match Backend::from_name(name) {
        Some(backend) if backend.is_available() => return Ok(backend),
        Some(_) => format!("{source}this CPU cannot run the backend '{name}'"),
        None => format!("{source}this version has no backend '{name}'"),
    };
    Err(Failure::usage(problem).hint(available()))
}

/// The hint that names what there is.
pub(crate) fn available() -> String {
    let names: Vec<_> =
        Backend::ALL.into_iter().filter(|backend| backend.is_available()).map(Backend::name).collect();
    format!("available here: {}", names.join(", "))
}
