"""Compile the tests as pytest rewrites them, once for all workers of a run.

pytest does so when it collects them, for which it imports all that they stand on. Where it has moved what is used
here, every worker compiles for itself, as it would without this.
"""

import os
import py_compile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from _pytest.assertion import rewrite

TESTS = Path(__file__).parent
AT_ONCE = 6
"""More than there are cores, for a busy machine gives each process its share."""


def compile_file(file: Path) -> None:
    """Leave a file compiled where whoever imports it looks first."""
    if not file.name.startswith(("test_", "conftest")):
        py_compile.compile(str(file))
        return
    folder = rewrite.get_cache_dir(file)
    folder.mkdir(exist_ok=True)
    wanted = folder / (file.name[: -len(".py")] + rewrite.PYC_TAIL)
    source_hash, code = rewrite._rewrite_test(file, None)  # pyright: ignore[reportPrivateUsage, reportArgumentType]  # see above
    made = wanted.with_suffix(f".{os.getpid()}")
    with made.open("wb") as written:
        rewrite._write_pyc_fp(written, source_hash, code)  # pyright: ignore[reportPrivateUsage]  # see above
    made.replace(wanted)


def compile_all() -> None:
    """Compile every file of the tests."""
    largest_first = sorted(TESTS.rglob("*.py"), key=lambda file: -file.stat().st_size)
    with ProcessPoolExecutor(AT_ONCE) as processes:
        list(processes.map(compile_file, largest_first, chunksize=4))


if __name__ == "__main__":
    compile_all()
