"""How long a test waits for what comes.

Each wait ends with what it waits for, so only a failure takes this long, and a machine that is busy has the time it needs.
"""

from typing import Final

PATIENT_SECONDS: Final = 60.0
