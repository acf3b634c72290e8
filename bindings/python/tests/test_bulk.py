"""Files of signatures verified on one machine: `phalanx.bulk`, as a whole and chunk by chunk."""

import json

import pytest

from phalanx import bulk, ed25519, errors

COMPARED = ["plan.json", "report.json", "results.csv", "verdicts.bin"]


def rows(count, bad=()):
    """JSON lines of as many signatures, those in `bad` of another message."""
    key = ed25519.SigningKey.from_seed(bytes(range(32)))
    public = bytes(key.verifying_key).hex()
    messages = [index.to_bytes(8, "big") for index in range(count)]
    signatures = ed25519.sign_many(key, messages)
    return "".join(
        json.dumps(
            {
                "scheme": "ed25519",
                "public_key": public,
                "message": (b"another" if index in bad else message).hex(),
                "signature": signature.hex(),
            }
        )
        + "\n"
        for index, (message, signature) in enumerate(zip(messages, signatures))
    )


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two files with a bad row each, and one that is none."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "a.jsonl").write_text(rows(300, {7}))
    (folder / "b.jsonl").write_text(rows(150, {149}) + "no row\n")
    (folder / "c.parquet").write_text("nothing of the kind")
    return [folder / "a.jsonl", str(folder / "b.jsonl"), folder / "c.parquet"]


def same(one, other):
    for name in COMPARED:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_a_job_on_one_machine(files, tmp_path):
    told = []
    report = bulk.run(files, tmp_path / "out", chunk_rows=40, threads=2, progress=lambda *each: told.append(each))
    assert report == json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["totals"] == {"total": 451, "valid": 448, "invalid": 2, "malformed": 1}
    assert [(row["input"], row["position"], row["verdict"]) for row in report["bad"]] == [
        (0, 8, "invalid"),
        (1, 150, "invalid"),
        (1, 151, "malformed"),
    ]
    assert report["inputs"][2]["problem"] and told[0] == (0, 451) and told[-1] == (451, 451)
    with pytest.raises(errors.Usage, match="not empty"):
        bulk.run(files, tmp_path / "out", chunk_rows=40)
    with pytest.raises(ValueError, match="other files, or of other options"):
        bulk.run(files, tmp_path / "out", chunk_rows=41, resume=True)
    assert bulk.run(files, tmp_path / "out", chunk_rows=40, resume=True) == report


def test_chunk_by_chunk_is_the_same(files, tmp_path):
    bulk.run(files, tmp_path / "whole", chunk_rows=40)
    parts = [bulk.Plan.make([file], chunk_rows=40) for file in files]
    plan = bulk.Plan.join([bulk.Plan.from_json(part.to_json()) for part in parts])
    folder = tmp_path / "steps"
    plan.take_folder(folder)
    assert len(plan) == len(plan.rows) == 12 and sum(plan.rows) == 451 and plan.memory_len > 0
    assert len(plan.digest) == 32 and plan.digest != parts[0].digest
    for index in reversed(range(1, len(plan))):
        assert not plan.is_done(index, folder)
        plan.verify_chunk(index, folder)
        assert plan.is_done(index, folder) and not parts[0].is_done(index, folder)
    assert not plan.is_done(len(plan), folder)
    with pytest.raises(errors.System, match="cannot read"):
        plan.report(folder)
    report = plan.report(folder, quarantine={0: "a reason"})
    assert report["quarantined"] == [
        {"chunk": 0, "input": 0, "first_position": 1, "rows": 40, "reason": "a reason"}
    ]
    assert report["totals"]["malformed"] == 41 and "quarantined" not in (tmp_path / "whole" / "report.json").read_text()
    plan.verify_chunk(0, folder)
    plan.report(folder)
    same(tmp_path / "whole", folder)


def test_an_exception_stops(files, tmp_path):
    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    with pytest.raises(Enough):
        bulk.run(files, tmp_path / "out", chunk_rows=2, progress=stop)
    assert not (tmp_path / "out" / "report.json").exists()
    bulk.run(files, tmp_path / "out", chunk_rows=2, resume=True)
    bulk.run(files, tmp_path / "whole", chunk_rows=2)
    same(tmp_path / "whole", tmp_path / "out")


def test_what_is_no_job(files, tmp_path):
    for wrong in ({"profile": "lenient"}, {"scheme": "x"}, {"format": "xml"}, {"chunk_rows": 0}):
        with pytest.raises(errors.Usage):
            bulk.Plan.make(files, **wrong)
        with pytest.raises(errors.Usage):
            bulk.run(files, tmp_path / "out", **wrong)
    with pytest.raises(errors.Usage):
        bulk.Plan.make([])
    with pytest.raises(errors.Usage, match="no plan"):
        bulk.Plan.from_json(b"{}")
    with pytest.raises(OSError, match="cannot read"):
        bulk.Plan.make([tmp_path / "nowhere"])
    with pytest.raises(TypeError):
        bulk.Plan.make(str(files[0]))
    plan = bulk.Plan.make(files)
    with pytest.raises(errors.Usage, match="there is no chunk 9"):
        plan.verify_chunk(9, tmp_path)
    assert not (tmp_path / "out").exists()
