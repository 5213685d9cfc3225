"""Say how many of the messages each catalogue translates; what it lacks is said in English. `make translations` runs it."""

import sys
from pathlib import Path

from babel.messages.pofile import read_po

from bot.ui.language import text


def main() -> None:
    """Write a line for each language."""
    for file in sorted(Path(text.__file__).parent.glob("locales/*/LC_MESSAGES/*.po")):
        with file.open("rb") as written:
            messages = [message for message in read_po(written) if message.id]
        missing = sum(
            not all([message.string] if isinstance(message.string, str) else message.string or [""])
            for message in messages
        )
        sys.stdout.write(
            f"{file.parent.parent.name}: {len(messages) - missing} of {len(messages)} messages translated\n"
        )


if __name__ == "__main__":
    main()
