"""docs/service.md names every option and column of the record service."""

from pathlib import Path

import click
import pytest

from service.command import service_command
from service.records_source import COLUMNS

TEXT = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")


def commands(group: click.Group) -> list[click.Command]:
    return [
        command
        for child in group.commands.values()
        for command in (commands(child) if isinstance(child, click.Group) else [child])
    ]


@pytest.mark.parametrize("command", commands(service_command), ids=lambda command: command.name)
def test_every_option_is_documented(command: click.Command) -> None:
    for parameter in command.params:
        for option in (*parameter.opts, *parameter.secondary_opts):
            if option.startswith("--"):
                assert option in TEXT


def test_every_column_is_documented() -> None:
    assert all(f"`{column}`" in TEXT for column in COLUMNS)
