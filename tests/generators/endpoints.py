"""Write the list of endpoints for people: `python tests/generators/endpoints.py docs/api-layer.md`."""

import sys
from pathlib import Path
from typing import Final

from bot.wire.endpoints import ENDPOINTS, PARAMETERS, Endpoint, Parameter

_BEGIN: Final = "<!-- endpoints: written by tests/generators/endpoints.py -->\n"
_END: Final = "<!-- end of endpoints -->\n"


def endpoints_as_markdown() -> str:
    """Return one table row for each endpoint, and one line for each meaning of a parameter."""
    rows = [_row(endpoint) for endpoint in ENDPOINTS]
    table = ["| Method of `holder` | Path | Reply |", "|---|---|---|", *rows]
    lines = [_line(parameter, names) for parameter, names in PARAMETERS.items()]
    return "\n".join([*table, "", *lines]) + "\n"


def _row(endpoint: Endpoint) -> str:
    names = ", ".join(
        f"{parameter.name}=…" if parameter.required else f"[{parameter.name}]"
        for parameter in endpoint.parameters
    )
    version, name = endpoint.version.replace(".", "_"), endpoint.name.replace("/", ".")
    return f"| `v{version}.{name}({names})` | `{endpoint.path}` | `{endpoint.reply.__name__}` |"


def _line(parameter: Parameter, names: tuple[str, ...]) -> str:
    allowed = (
        f"; one of {', '.join(f'`{value}`' for value in parameter.allowed)}" if parameter.allowed else ""
    )
    default = f"; default `{parameter.default}`" if parameter.default not in {None, ""} else ""
    takers = ", ".join(f"`{name}`" for name in names)
    return f"- `{parameter.name}` ({parameter.type}) of {takers}: {parameter.meaning}{allowed}{default}"


def with_endpoints(text: str) -> str:
    """Return a document with its list of endpoints as the table has them now."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return before + _BEGIN + endpoints_as_markdown() + _END + after


if __name__ == "__main__":
    document = Path(sys.argv[1])
    document.write_text(with_endpoints(document.read_text(encoding="utf-8")), encoding="utf-8")
