from bot.demo.localised import Command, ShownCommand, localise

DAILY = Command.model_validate(
    {
        "name": "daily",
        "name_localizations": {"ja": "毎日"},
        "options": [
            {
                "name": "channel",
                "description": "Post here",
                "name_localizations": {"ja": "チャンネル"},
                "description_localizations": {"ja": "ここに投稿"},
                "options": [
                    {
                        "name": "kind",
                        "description": "Which",
                        "choices": [{"name": "Best", "value": 1, "name_localizations": {"ja": "ベスト"}}],
                    }
                ],
            }
        ],
    }
)


def shown(locale: str) -> ShownCommand:
    command = ShownCommand.model_validate(
        {
            "path": ["daily", "channel"],
            "invocation": "daily channel",
            "description": "Post here",
            "key": "kept",
            "options": [{"name": "kind", "description": "Which", "choices": [{"name": "Best", "value": 1}]}],
        }
    )
    localise(command, DAILY, locale)
    return command


def test_a_command_is_shown_in_the_language_of_the_person() -> None:
    command = shown("ja")
    assert command.invocation == "daily channel 毎日 チャンネル"
    assert command.description == "ここに投稿"
    assert command.options[0].description == "Which"
    assert command.options[0].choices[0].name == "ベスト"
    assert command.model_dump()["key"] == "kept"


def test_what_is_not_translated_stays() -> None:
    command = shown("de")
    assert (command.invocation, command.description) == ("daily channel", "Post here")
