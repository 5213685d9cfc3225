from bot.domain.nicknames.meanings import parts, stem, words_in


def test_a_stem_is_one_for_the_forms_of_a_word() -> None:
    assert {stem(word) for word in ("love", "loves", "loved", "loving")} == {"lov"}
    assert stem("girl's") == stem("girls") == stem("girl")
    assert stem("sea") == "sea"
    assert {stem(word) for word in ("reverberation", "reverberate", "reverberations")} == {
        "reverber",
        "reverberat",
    }
    assert stem("disappearance") == stem("disappear") == stem("disappearing") == "disappear"


def test_only_japanese_parts_are_words() -> None:
    assert set(parts("Aの夜")) == {"の", "の夜", "夜"}
    assert list(parts("Latin")) == []


def test_a_single_character_counts_where_no_longer_word_covers_it() -> None:
    known = {"深海", "海", "少女", "夜"}
    assert words_in("深海少女", known) == {"深海", "少女"}
    assert words_in("夜の海", known) == {"夜", "海"}
