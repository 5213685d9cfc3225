"""Say how many messages each catalogue translates, and which it lacks, as is said in English. `make translations` runs it."""

import sys
from pathlib import Path

from babel.messages.pofile import read_po

from bot.ui.language import text


def main() -> None:
    """Write a line for each language."""
    for file in sorted(Path(text.__file__).parent.glob("locales/*/LC_MESSAGES/*.po")):
        with file.open("rb") as written:
            messages = [message for message in read_po(written) if message.id]
        missing = [
            message.id if isinstance(message.id, str) else message.id[0]
            for message in messages
            if not all([message.string] if isinstance(message.string, str) else message.string or [""])
        ]
        sys.stdout.write(
            f"{file.parent.parent.name}: {len(messages) - len(missing)} of {len(messages)} messages translated\n"
        )
        sys.stdout.writelines(f"  without a msgstr: {message!r}\n" for message in missing)


if __name__ == "__main__":
    main()
