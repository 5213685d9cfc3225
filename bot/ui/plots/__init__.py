"""Plots: functions that take plain values and translated texts, and return a PNG.

They run in the renderer's thread, never in the event loop:

    png = await renderer.picture(alt, player, bar_plot, labels, bars, style)
"""

from bot.ui.plots.bars import PlotBar, bar_plot
from bot.ui.plots.lines import Trace, line_plot, time_plot, traces_plot
from bot.ui.plots.sheet import Labels

__all__ = ["Labels", "PlotBar", "Trace", "bar_plot", "line_plot", "time_plot", "traces_plot"]
