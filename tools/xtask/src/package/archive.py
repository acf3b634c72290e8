"""Packs a folder into a .tar.gz that is the same wherever and whenever it is made: sorted, of one owner and one time."""

import gzip
import os
import sys
import tarfile


def main() -> None:
    folder, archive, epoch = sys.argv[1], sys.argv[2], int(sys.argv[3])
    parent, top = os.path.split(os.path.abspath(folder))
    paths = [top]
    for place, folders, files in os.walk(folder):
        inside = os.path.join(top, os.path.relpath(place, folder))
        paths += [os.path.normpath(os.path.join(inside, name)) for name in folders + files]
    with open(archive, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path in sorted(paths):
                entry = tar.gettarinfo(os.path.join(parent, path), path.replace(os.sep, "/"))
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                entry.mtime = epoch
                executable = entry.isdir() or entry.mode & 0o100
                entry.mode = 0o755 if executable else 0o644
                if entry.isreg():
                    with open(os.path.join(parent, path), "rb") as file:
                        tar.addfile(entry, file)
                else:
                    tar.addfile(entry)


main()
