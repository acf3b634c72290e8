"""Measures `verify_many` of Python against the same work in Rust, in one process, turn by turn.

Rust's side is timed inside the extension module, on signatures that lie ready in its memory, and returns nothing to Python.
Python's side is a whole call: a list of tuples of bytes in, a list of bool out. The clock is the thread's processor time, so
that other programs disturb little. The ratio is Python's least time over Rust's; beside it stands the median of the ratios
of all rounds.
"""

import argparse
import statistics
import time
from array import array

from phalanx import _phalanx, backend, ed25519, xmss


def measured(call):
    begun = time.thread_time_ns()
    verdicts = call()
    took = time.thread_time_ns() - begun
    assert all(verdicts)
    return took, len(verdicts)


def compare(name, rust, forms, count, rounds):
    times = {key: [] for key in ["rust", *forms]}
    calls = {"rust": rust, **{form: (lambda call=call: measured(call)) for form, call in forms.items()}}
    for _ in range(rounds):
        for key, call in calls.items():
            took, valid = call()
            assert valid == count, (key, valid)
            times[key].append(took)
    native = min(times["rust"]) / count / 1000
    for form in forms:
        python = min(times[form]) / count / 1000
        median = statistics.median(mine / theirs for mine, theirs in zip(times[form], times["rust"]))
        print(
            f"{name}, {form}: {python:.3f} us a signature, Rust {native:.3f}, "
            f"ratio {python / native:.3f}, median of ratios {median:.3f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--profile", default="strict", choices=ed25519.PROFILES)
    options = parser.parse_args()
    count, rounds = options.count, options.rounds
    print(f"{count} signatures, one thread, {backend()}, the least of {rounds} rounds")

    keys = [ed25519.SigningKey.from_seed(bytes([i]) * 32) for i in range(16)]
    messages = [i.to_bytes(32, "little") for i in range(count)]
    signatures = ed25519.sign_many([keys[i % 16] for i in range(count)], messages)
    publics = [bytes(keys[i % 16].verifying_key) for i in range(count)]
    claims = list(zip(publics, messages, signatures))
    flat = [b"".join(column) for column in (publics, messages, signatures)]
    forms = {
        "list of tuples": lambda: ed25519.verify_many(claims, profile=options.profile),
        "three lists": lambda: ed25519.verify_columns(publics, messages, signatures, profile=options.profile),
        "three buffers": lambda: ed25519.verify_columns(*flat, profile=options.profile),
    }
    rust = lambda: _phalanx._time_ed25519(publics, messages, signatures, options.profile, time.thread_time_ns)  # noqa: E731
    compare(f"ed25519 {options.profile}", rust, forms, count, rounds)

    lifetime = 1 << 18
    epochs = array("I", range(min(count, 1 << 10)))
    signer = xmss.SigningKey.generate("xmss-poseidon2-l18-d64b8", 0, len(epochs), seed=bytes(32), threads=0)
    assert len(epochs) <= lifetime
    # 1024 signatures, again and again: verification does not know.
    made = [signer.sign(epoch, messages[epoch]) for epoch in epochs]
    epochs = array("I", (epochs[i % len(made)] for i in range(count)))
    signatures = [bytes(bytearray(made[i % len(made)])) for i in range(count)]
    messages = [messages[i % len(made)] for i in range(count)]
    public = signer.verifying_key
    claims = [(public, *claim) for claim in zip(epochs, messages, signatures)]
    forms = {
        "list of tuples": lambda: xmss.verify_many(claims),
        "columns": lambda: xmss.verify_columns(public, epochs, b"".join(messages), signatures),
    }
    rust = lambda: _phalanx._time_xmss(public, epochs, messages, signatures, time.thread_time_ns)  # noqa: E731
    compare("xmss-poseidon2-l18-d64b8", rust, forms, count, rounds)


if __name__ == "__main__":
    main()
