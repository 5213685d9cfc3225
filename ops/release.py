"""Build all that a release is made of, from the commit that is checked out, as `make release` does; nothing is published.

The same commit gives the same bits in every folder: files come from `git archive`, and times are that of the commit.
"""

import gzip
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
READ_BY_HOSTS: Final = (".env.example", "CHANGELOG.md", "SECURITY.md", "docs", "ops")
"""What goes with the container's context beside what it copies."""
LEFT_OUT: Final = ("docs/site/pictures/",)


def release(into: Path) -> Mapping[str, str]:
    """Build everything into a folder; return the checksums by the names of the files. Raises: CalledProcessError."""
    into.mkdir(parents=True, exist_ok=True)
    for old in into.iterdir():
        old.unlink()
    made_at = int(run(["git", "log", "-1", "--format=%ct"], ROOT))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        source.mkdir()
        unpack_commit(source)
        # What is imported from the source leaves no compiled file there: those name the folder they were made in.
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(made_at), "PYTHONDONTWRITEBYTECODE": "1"}
        for project in (source, *sorted(each.parent for each in source.glob("ops/*/pyproject.toml"))):
            run(
                [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into.absolute())],
                project,
                environment,
            )
        version = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        name = f"kiroku-{version}"
        pack(into / f"{name}.tar.gz", name, source, find_context(source), made_at)
        built = Path(folder) / "built"
        render = [sys.executable, str(source / "docs/site/render.py"), str(built)]
        run(render, source, {**environment, "PYTHONPATH": str(source)})
        site = built / "site"
        pack(into / f"{name}-site.tar.gz", f"{name}-site", site, files_below(site), made_at)
        bom = run([sys.executable, str(source / "ops/sbom.py")], source, environment)
        (into / f"{name}.cdx.json").write_text(bom, encoding="utf-8")
    sums = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(into.iterdir())}
    lines = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (into / "SHA256SUMS").write_text(lines, encoding="utf-8")
    return sums


def unpack_commit(folder: Path) -> None:
    """Lay the files of the commit out, with what an archive of it says of itself."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S607 - git stands on the path
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def find_context(source: Path) -> list[str]:
    """Return the files that the container is built from, and those that a host reads beside it."""
    steps = (source / "ops/Containerfile").read_text(encoding="utf-8").splitlines()
    copied = [each for step in steps if re.match(r"COPY [^-]", step) for each in step.split()[1:-1]]
    wanted = tuple(path for each in (*copied, *READ_BY_HOSTS) for path in (each, f"{each}/"))
    return [
        file
        for file in files_below(source)
        if (file in wanted or file.startswith(tuple(each for each in wanted if each.endswith("/"))))
        and not file.startswith(LEFT_OUT)
    ]


def files_below(folder: Path) -> list[str]:
    """Return all files of a folder by their paths in it, in one order everywhere."""
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def pack(archive: Path, name: str, folder: Path, files: Iterable[str], made_at: int) -> None:
    """Write files into an archive, under a folder of a name, with nothing in it of this machine or this moment."""
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=made_at) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as packed,
    ):
        for each in files:
            file = folder / each
            about = tarfile.TarInfo(f"{name}/{each}")
            about.size, about.mtime = file.stat().st_size, made_at
            about.mode = 0o755 if file.stat().st_mode & 0o100 else 0o644
            with file.open("rb") as content:
                packed.addfile(about, content)


def run(words: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program, and return what it says."""
    done = subprocess.run(words, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


if __name__ == "__main__":
    for name, digest in release(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")).items():
        print(f"{digest}  {name}")
