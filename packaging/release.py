#!/usr/bin/env python3
"""What a release is made of: packaging/release.py [--check] [FOLDER]

Makes in FOLDER (build/dist) the headers with LICENSE and README as a tarball and as a zip file, all sources as a tarball, the
headers of processors as single files (single.py), and SHA256SUMS.  The same commit gives the same bytes, with the same zlib.  Refuses where the tree has changes, headers are not
joined, or a file names another version; --check only looks for the last two.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True  # beside sources
from single import singles  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
HEADERS = sorted(header.name for header in ROOT.glob("convk*.h"))
FILES = sorted([*HEADERS, "LICENSE", "README.md"])
# who says the version once more, because its reader allows no more than text
VERSIONS = {
    "meson.build": r"^project\('convk', version: '(.*?)'",
    "packaging/vcpkg/convk/vcpkg.json": r'^  "version": "(.*)"',
    "packaging/spack/spack_repo/convk/packages/convk/package.py": r'^    version\("(\d.*?)"',
    "packaging/conda/recipe.yaml": r'^  version: "(.*)"',
    "packaging/compiler_explorer/libraries.yaml": r"^      - (\d.*)",
    "packaging/compiler_explorer/libs.properties": r"^libs\.convk\.versions\.\d+\.version=(.*)",
    "CHANGELOG.md": r"^## \[(\d.*?)\]",
    "CITATION.cff": r"^version: (.*)",
    "codemeta.json": r'^  "version": "(.*)"',
}
# Where the repository is: empty until it has a public address.  Files that have room for one then repeat it.
ADDRESS = ""
ADDRESSES = {
    "CITATION.cff": r'^repository-code: "(.*)"', "codemeta.json": r'^  "codeRepository": "(.*)"',
    "packaging/conda/recipe.yaml": r'^  address: "(.*)"',
    "packaging/compiler_explorer/libraries.yaml": r'^      address: "(.*)"',
    "packaging/compiler_explorer/libs.properties": r"^libs\.convk\.url=(.*)",
}


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, stdout=subprocess.PIPE).stdout


def version():
    parts = re.findall(r"^#define CONVK_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text("src/core/configuration.h"), re.M)
    return ".".join(parts)


def not_made():
    """Headers, lists in them, and the module of Fortran, that src/ would make otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (["src/headers.sh", "--check"], [sys.executable, "src/fortran.py", "--check"]):
            run = subprocess.run(command, cwd=ROOT, env={**os.environ, "MADE": folder}, stdout=subprocess.PIPE, text=True)
            yield from run.stdout.split() or ([command[-2]] if run.returncode else [])


def complaints():
    for name in not_made():
        yield f"{name} is not what src/ makes: make headers"
    for name, pattern in VERSIONS.items():
        found = re.search(pattern, text(name), re.M)
        if not found or found[1] != version():
            yield f"{name} names version {found[1] if found else 'none'}, and src/core/configuration.h {version()}"
    for name, pattern in ADDRESSES.items():
        found = re.search(pattern, text(name), re.M)
        if (found[1] if found else "") != ADDRESS:
            yield f"{name} names the address {found and found[1] or 'none'}, and packaging/release.py {ADDRESS or 'none'}"


def gzipped(data):
    """Without the name and time of a file; gzip.compress writes another header in each version of Python."""
    out = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=out, mtime=0) as packed:
        packed.write(data)
    return out.getvalue()


def tarball(folder, when):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in FILES:
            member = tarfile.TarInfo(f"{folder}/{name}")  # owner 0, mode 644
            member.size, member.mtime = (ROOT / name).stat().st_size, when
            tar.addfile(member, io.BytesIO((ROOT / name).read_bytes()))
    return gzipped(data.getvalue())


def zipped(folder, when):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in FILES:
            member = zipfile.ZipInfo(f"{folder}/{name}", time.gmtime(when)[:6])
            member.compress_type, member.create_system, member.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
            archive.writestr(member, (ROOT / name).read_bytes())
    return data.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only say what is wrong")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/dist", metavar="FOLDER")
    options = parser.parse_args()
    wrong = list(complaints())
    if not options.check:
        wrong += [f"not committed: {line}" for line in git("status", "--porcelain").decode().splitlines()]
    if wrong:
        sys.exit("\n".join(wrong))
    if options.check:
        return
    name = f"convk-{version()}"
    when = int(git("log", "-1", "--format=%ct"))
    made = {
        f"{name}.tar.gz": tarball(name, when),
        f"{name}.zip": zipped(name, when),
        f"{name}-source.tar.gz": gzipped(git("archive", "--format=tar", f"--prefix={name}/", "HEAD")),
    }
    made.update((file, text.encode()) for file, text in singles())
    made["SHA256SUMS"] = "".join(f"{hashlib.sha256(made[f]).hexdigest()}  {f}\n" for f in sorted(made)).encode()
    options.folder.mkdir(parents=True, exist_ok=True)
    for file, data in made.items():
        (options.folder / file).write_bytes(data)
        print(options.folder / file)


if __name__ == "__main__":
    main()
