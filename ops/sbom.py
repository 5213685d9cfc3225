"""Say what the bot is made of, in CycloneDX's JSON, as `make sbom` does: all that it imports where it is run.

It is read from the packages that are installed here, which are those of requirements.lock; what only an extra of the bot
needs is optional. It holds no time and no number made by chance, so that it is the same when it is made again.
"""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import distribution
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

BOT: Final = "kiroku"
EXTRAS: Final = ("postgres",)


def find_needs(extras: Iterable[str] = ()) -> Mapping[str, set[str]]:
    """Return every package that runs with the bot, the bot first, and what each needs on this system."""
    needs: dict[str, set[str]] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(BOT, extra) for extra in ("", *extras)]
    while waiting:
        name, extra = each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        needed = needs.setdefault(name, set())
        for requirement in map(Requirement, distribution(name).requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                needed.add(other := canonicalize_name(requirement.name))
                waiting += [(other, extra) for extra in ("", *requirement.extras)]
    return needs


def describe(name: str) -> dict[str, Any]:
    """Return a package as a component."""
    about: Mapping[str, Any] = distribution(name).metadata.json
    reference = f"pkg:pypi/{name}@{about['version']}"
    return {
        "type": "application" if name == BOT else "library",
        "bom-ref": reference,
        "name": name,
        "version": about["version"],
        "purl": reference,
        "licenses": _licences(about),
    }


def _licences(about: Mapping[str, Any]) -> list[dict[str, Any]]:
    if expression := about.get("license_expression"):
        return [{"expression": expression}]
    classified = [each.rpartition(" :: ")[2] for each in about.get("classifier", ()) if "License ::" in each]
    named = classified or about.get("license", "").splitlines()[:1]
    return [{"license": {"name": name}} for name in named]


def make_bom() -> dict[str, Any]:
    """Return the bill of materials."""
    always, needs = find_needs(), find_needs(EXTRAS)
    described = {name: describe(name) for name in sorted(needs)}
    references = {name: component["bom-ref"] for name, component in described.items()}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": described.pop(BOT)},
        "components": [
            {**component, "scope": "required" if name in always else "optional"}
            for name, component in described.items()
        ],
        "dependencies": [
            {"ref": references[name], "dependsOn": sorted(references[other] for other in needs[name])}
            for name in sorted(needs)
        ],
    }


if __name__ == "__main__":
    print(json.dumps(make_bom(), indent=1))
