"""licences.py WHEEL BILL TEXT...: puts licence texts into a wheel, into its folder of licences and into its metadata, and the
list of what went in. maturin's own list names the folder in which it was made."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main() -> None:
    wheel, bill, texts = sys.argv[1], sys.argv[2], [pathlib.Path(name) for name in sys.argv[3:]]
    with tempfile.TemporaryDirectory() as place:
        run = [sys.executable, "-m", "wheel"]
        subprocess.run([*run, "unpack", "--dest", place, wheel], check=True, stdout=subprocess.DEVNULL)
        (folder,) = pathlib.Path(place).iterdir()
        (info,) = folder.glob("*.dist-info")
        (info / "licenses").mkdir(exist_ok=True)
        shutil.rmtree(info / "sboms", ignore_errors=True)
        (info / "sboms").mkdir()
        shutil.copyfile(bill, info / "sboms" / "phalanx-python.cdx.json")
        metadata = (info / "METADATA").read_text(encoding="utf-8")
        head, _, rest = metadata.partition("\n\n")
        for text in texts:
            shutil.copyfile(text, info / "licenses" / text.name)
            if f"License-File: {text.name}\n" not in head + "\n":
                head += f"\nLicense-File: {text.name}"
        (info / "METADATA").write_text(f"{head}\n\n{rest}", encoding="utf-8")
        for path in folder.rglob("*"):
            os.chmod(path, 0o755 if path.is_dir() or path.suffix in (".so", ".pyd", ".dylib") else 0o644)
        os.remove(wheel)
        destination = os.path.dirname(os.path.abspath(wheel))
        subprocess.run([*run, "pack", "--dest-dir", destination, str(folder)], check=True, stdout=subprocess.DEVNULL)


main()
