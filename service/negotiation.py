"""Reads Accept-Encoding and If-None-Match. Source: RFC 9110."""

from typing import Final

_GZIP: Final = frozenset({"gzip", "x-gzip"})


def accepts_gzip(header: str) -> bool:
    """Return whether Accept-Encoding takes gzip; a weight of 0 refuses, and `*` stands for encodings not named."""
    weights: dict[str, float] = {}
    for part in header.lower().split(","):
        coding, _, parameter = part.partition(";")
        weights[coding.strip()] = _weight(parameter)
    named = [weight for coding, weight in weights.items() if coding in _GZIP]
    return max(named, default=weights.get("*", 0)) > 0


def _weight(parameter: str) -> float:
    """Return a weight; 1 if none is given, 0 if it is not a number."""
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1
    try:
        return float(value)
    except ValueError:
        return 0


def names_tag(header: str, etag: str) -> bool:
    """Return whether If-None-Match names a tag: weakly, in a list, or by `*`."""
    return any(part.strip().removeprefix("W/") in {etag, "*"} for part in header.split(","))
