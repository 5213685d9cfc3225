"""Seconds as the command line takes them."""

import math

import click
from typing_extensions import override


class Seconds(click.FloatRange):
    """A number of seconds, which neither NaN nor infinity is."""

    @override
    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return what was typed as a number."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return number
