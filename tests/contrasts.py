"""How well colours are told apart. Source: WCAG 2.2."""


def contrast(one: int, other: int) -> float:
    """Return how two colours stand out from each other, 1 to 21. Source: WCAG 2.2, "contrast ratio"."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: int) -> float:
    """Source: WCAG 2.2, "relative luminance"."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (each / 255 for each in colour.to_bytes(3, "big"))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
