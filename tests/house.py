"""A mirror of the house, printed by `make house`: how large it is, and where it repeats itself or lies idle.

    python tests/house.py [folder]

It measures the code that ships, `bot`, `cogs` and `service`, and enforces nothing: a figure is a place to look.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Final, TypeAlias

import grimp

PACKAGES: Final = ("bot", "cogs", "service")
ALIKE: Final = 6
"""Lines in a row that two places must share to count as written twice."""
IGNORE: Final = re.compile(
    r"#\s*(?:noqa(?::\s*[A-Z0-9, ]+)?|type:\s*ignore(?:\[[^\]]*\])?|pyright:\s*ignore(?:\[[^\]]*\])?)(.*)"
)
LISTED: Final = 12
"""Rows shown of each list."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = Function | ast.ClassDef


@dataclass(frozen=True)
class File:
    """One module: its source, its tree, its tokens."""

    path: Path
    source: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    def tokens(self) -> Iterator[tokenize.TokenInfo]:
        return tokenize.generate_tokens(io.StringIO(self.source).readline)


def read(root: Path, *folders: str) -> list[File]:
    """Return the modules below these folders, in order."""
    paths = sorted(chain.from_iterable((root / folder).rglob("*.py") for folder in folders))
    return [File(path.relative_to(root), path.read_text(encoding="utf-8")) for path in paths]


def code_lines(file: File) -> list[int]:
    """Return the numbers of the lines that hold code: no blank line, comment or docstring."""
    silent = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    }
    spoken = {
        line
        for token in file.tokens()
        if token.type not in silent
        for line in range(token.start[0], token.end[0] + 1)
    }
    prose = {
        line
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return sorted(spoken - prose)


def functions(file: File) -> Iterator[tuple[int, str]]:
    """Yield the length of each function with where it stands."""
    for node in ast.walk(file.tree):
        if isinstance(node, Function):
            yield (node.end_lineno or node.lineno) - node.lineno + 1, f"{file.path}:{node.lineno} {node.name}"


def ignores(file: File) -> Iterator[tuple[str, bool]]:
    """Yield each comment that silences a check, and whether it says why."""
    for token in file.tokens():
        if token.type == tokenize.COMMENT and (found := IGNORE.search(token.string)):
            yield f"{file.path}:{token.start[0]}", bool(found[1].strip(" -#"))


def public(file: File) -> Iterator[tuple[str, Definition]]:
    """Yield what a module defines for others: its functions and classes, and their methods."""
    bodies: list[tuple[str, ast.Module | ast.ClassDef]] = [("", file.tree)]
    while bodies:
        prefix, body = bodies.pop()
        for node in body.body:
            if isinstance(node, Definition) and not node.name.startswith("_"):
                yield f"{prefix}{node.name}", node
                if isinstance(node, ast.ClassDef):
                    bodies.append((f"{node.name}.", node))


def constants(file: File) -> Iterator[str]:
    """Yield the public names that a module or a class binds to values."""
    for body in (file.tree, *(node for node in ast.walk(file.tree) if isinstance(node, ast.ClassDef))):
        for node in body.body:
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            yield from (
                each.id for each in targets if isinstance(each, ast.Name) and not each.id.startswith("_")
            )


def unused(shipped: list[File], tests: list[File]) -> list[str]:
    """Return the public names that nothing in the code that ships speaks of a second time.

    A hook that a library calls is among them, which is why this is a list to read and no test.
    """
    spoken = Counter(
        word
        for file in shipped
        for token in file.tokens()
        if token.type in (tokenize.NAME, tokenize.STRING)
        for word in re.findall(r"\w+", token.string)
    )
    in_tests = {token.string for file in tests for token in file.tokens() if token.type == tokenize.NAME}
    found: list[str] = []
    for file in shipped:
        overridden = {
            name
            for name, node in public(file)
            if any(
                "override" in ast.unparse(each) or "." in ast.unparse(each) for each in node.decorator_list
            )
        }
        names = {name for name, _ in public(file)} - overridden | set(constants(file))
        for name in sorted(names):
            if spoken[name.rpartition(".")[2]] == 1:
                tested = ", spoken of in tests alone" if name.rpartition(".")[2] in in_tests else ""
                found.append(f"{file.path} {name}{tested}")
    return found


def duplicates(files: list[File]) -> list[str]:
    """Return the places that share six lines of code or more, the longest run of each pair of files."""
    places: defaultdict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for file in files:
        text = file.source.splitlines()
        lines = [(number, " ".join(text[number - 1].split())) for number in code_lines(file)]
        lines = [
            (number, line)
            for number, line in lines
            if not line.startswith(("import ", "from ")) and line.strip("()[]{},:")
        ]
        for at in range(len(lines) - ALIKE + 1):
            window = lines[at : at + ALIKE]
            places[tuple(line for _, line in window)].append((file.path, window[0][0]))
    pairs = {
        (one[0], other[0]): f"{one[0]}:{one[1]} ~ {other[0]}:{other[1]}"
        for found in places.values()
        for one, other in pairwise(found)
    }
    return list(pairs.values())


def cycles() -> list[str]:
    """Return the packages that import one another in a circle, module by module."""
    graph = grimp.build_graph(*PACKAGES)
    return [
        f"{one} <-> {other}"
        for one in sorted(graph.modules)
        for other in sorted(graph.find_modules_directly_imported_by(one))
        if one < other and one in graph.find_downstream_modules(one)
    ]


def spread(values: list[int]) -> str:
    """Return the middle, the ninety-fifth of a hundred, and the largest."""
    return f"median {median(values):.0f}, p95 {quantiles(values, n=20)[-1]:.0f}, longest {max(values)}"


def show(title: str, rows: list[str]) -> None:
    """Print a list, cut where it is long."""
    print(f"\n{title}: {len(rows)}")
    print(*(f"  {row}" for row in rows[:LISTED]), sep="\n")
    if len(rows) > LISTED:
        print(f"  … and {len(rows) - LISTED} more")


def main(root: Path) -> None:
    """Print the figures."""
    shipped, tests = read(root, *PACKAGES), read(root, "tests")
    sizes = {folder: sum(len(code_lines(file)) for file in read(root, folder)) for folder in PACKAGES}
    lines = sum(file.source.count("\n") for file in shipped)
    lengths = sorted(chain.from_iterable(map(functions, shipped)), reverse=True)
    silenced = list(chain.from_iterable(map(ignores, shipped)))
    documented = [ast.get_docstring(node) is not None for file in shipped for _, node in public(file)]
    print(f"lines of code         {sum(sizes.values())} ({', '.join(f'{k} {v}' for k, v in sizes.items())})")
    print(
        f"lines in all          {lines} in {len(shipped)} files; tests {sum(f.source.count(chr(10)) for f in tests)}"
    )
    print(f"length of files       {spread([file.source.count(chr(10)) for file in shipped])}")
    print(f"length of functions   {spread([length for length, _ in lengths])}, of {len(lengths)}")
    print(f"ignores               {len(silenced)}, {1000 * len(silenced) / lines:.2f} per 1,000 lines")
    print(f"public docstrings     {100 * sum(documented) / len(documented):.1f} % of {len(documented)}")
    show("Longest functions", [f"{length} {where}" for length, where in lengths[:5]])
    show("Ignores without a reason", [where for where, says_why in silenced if not says_why])
    show("Import cycles", cycles())
    show("Public names that nothing else speaks of", unused(shipped, tests))
    show(f"Places that share {ALIKE} lines", duplicates(shipped))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
