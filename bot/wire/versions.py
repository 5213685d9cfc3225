"""The versions of the service; who only counts requests need not know what their replies look like."""

from typing import Literal

Version = Literal["2.0", "1.3", "1.0"]
