"""Generates an XMSS key with a progress bar; Ctrl-C stops it. Needs tqdm."""

from tqdm import tqdm

from phalanx import xmss


def main() -> None:
    with tqdm(unit=" leaves", unit_scale=True) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        key = xmss.SigningKey.generate("xmss-poseidon2-l18-d64b8", 0, 16384, threads=0, progress=progress)
    signature = key.sign(7, bytes(32))
    key.verifying_key.verify(7, bytes(32), signature)
    print(f"{key}: a signature of {len(signature)} bytes verifies")


if __name__ == "__main__":
    main()
