"""One name, one meaning; what is said of a value or a number stands alone; and no file or function is long."""

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRAGMENT = re.compile(
    r"(Of|For|By|From|To|In|Into|After|Before|Beyond|Below|Above|Between|Without|With|At|On|Among|Beside|Within)\b"
)
SO_MANY = re.compile(r"\b[Ss]o (many|much|long|often|high|large|broad)\b(?! (as|that)\b)")
NO_NOUN = re.compile(r"_(AGAIN|AHEAD|ALIKE|AT_ONCE|ENOUGH|FAR|FEW|KEPT|LONG|MANY|MOST|NEAR|OFTEN|SHORT)")
OTHER_LIMIT = re.compile(r"_?(FEWEST|HIGHEST|LARGEST|LEAST|LONGEST|MOST)(_\w+)?|\w+_(MAX|MIN)")

RAISED = re.compile(r"Raises: ((?:\w+\.)?_?[A-Z]\w+(?:, (?:\w+\.)?_?[A-Z]\w+)*)")

LONGEST_FILE = 400
"""A file of the program has at most this many lines."""
LONGEST_FUNCTION = 50
"""A function has at most this many; migrations stay as they were written."""


@cache
def sources() -> Sequence[tuple[str, ast.Module]]:
    return [
        (file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8")))
        for folder in ("bot", "cogs", "service")
        for file in ROOT.glob(f"{folder}/**/*.py")
    ]


def test_what_is_said_of_a_value_is_no_fragment() -> None:
    """A preposition at its head leaves out what it is about."""
    said = [
        (place, following.value.value)
        for place, module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for first, following in pairwise(node.body)
        if isinstance(first, ast.Assign | ast.AnnAssign)
        and isinstance(following, ast.Expr)
        and isinstance(following.value, ast.Constant)
        and isinstance(following.value.value, str)
    ]
    assert len(said) > 2000
    fragments = [(place, text) for place, text in said if FRAGMENT.match(text)]
    assert fragments == [], "what stands below a value says what it is: not a preposition first, but a noun"
    pointing = [(place, text) for place, text in said if SO_MANY.search(text)]
    assert pointing == [], (
        'what stands below a value says "this many", or "how many": "so many" points nowhere'
    )


def test_no_file_is_long() -> None:
    lengths = {place: (ROOT / place).read_text(encoding="utf-8").count("\n") for place, _ in sources()}
    assert [place for place, lines in lengths.items() if lines > LONGEST_FILE] == []


def test_no_function_is_long() -> None:
    lengths = {
        f"{place}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for place, module in sources()
        if "/migrations/" not in place
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert [where for where, lines in lengths.items() if lines > LONGEST_FUNCTION] == []


def test_a_number_is_named_by_a_noun_and_a_limit_by_max_or_min() -> None:
    numbers = [
        (place, node.target.id)
        for place, module in sources()
        for node in module.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Constant | ast.BinOp | ast.UnaryOp)
    ]
    assert len(numbers) > 500
    assert [(place, name) for place, name in numbers if NO_NOUN.fullmatch(name)] == []
    assert [(place, name) for place, name in numbers if OTHER_LIMIT.fullmatch(name)] == []


def test_nothing_but_what_others_call_is_called_forget() -> None:
    """It could mean either: what is gone from the database is deleted, what memory keeps is dropped."""
    names = [
        (place, node.name)
        for place, module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert len(names) > 4000
    assert [(place, name) for place, name in names if "forget" in name] == [("bot/api/client.py", "forget")]


def test_no_public_class_name_stands_twice() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for place, module in sources():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(place)
    assert len(places) > 500
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_what_a_docstring_says_is_raised_is_there() -> None:
    raised: list[tuple[str, str]] = []
    known = {*dir(builtins), "InvalidOperation"}  # that of `decimal`, which nothing here names
    for place, module in sources():
        for node in ast.walk(module):
            if isinstance(node, ast.Name | ast.alias | ast.ClassDef | ast.Attribute):
                name = (
                    node.id
                    if isinstance(node, ast.Name)
                    else node.attr
                    if isinstance(node, ast.Attribute)
                    else node.name
                )
                known.add(name.rpartition(".")[2])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                raised += [
                    (place, name) for listed in RAISED.findall(node.value) for name in listed.split(", ")
                ]
    assert len(raised) > 400
    assert [(place, name) for place, name in raised if name.rpartition(".")[2] not in known] == []
