"""Puts licence texts into a wheel: into its folder of licences, and into its metadata."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main() -> None:
    wheel, texts = sys.argv[1], [pathlib.Path(name) for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as place:
        run = [sys.executable, "-m", "wheel"]
        subprocess.run([*run, "unpack", "--dest", place, wheel], check=True, stdout=subprocess.DEVNULL)
        (folder,) = pathlib.Path(place).iterdir()
        (info,) = folder.glob("*.dist-info")
        (info / "licenses").mkdir(exist_ok=True)
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
