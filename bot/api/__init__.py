"""The async API layer.

async with RecordApi("https://records.example") as api:
    reply = await api.holder(token).v2_0.records.rating_data(region="jp2")
    reply.to_domain()
"""

from bot.api.budget.budget import BudgetLeft, Priority
from bot.api.client import Holder, RecordApi

__all__ = ["BudgetLeft", "Holder", "Priority", "RecordApi"]
