"""The 160 tones of each theme for pictures: all flat colours, and shades between those that meet.

They are chosen and written by tests/ui/test_tones.py: choosing them at run time would delay the first picture too much.
"""

from collections.abc import Mapping
from typing import Final

from bot.domain.members import Theme

_WRITTEN: Final = {
    Theme.DARK: (
        "0e1016 1b1e28 242836 3a4052 2d3344 7c869e f4f5f8 a9b0c0 ffcb45 4ade80 ff8585 6fd3ff ffb35c 12141b "
        "8b95ff 262a37 6fa8ff 4fd98a ffa04d ff7a7a c79bff e39b6d aebbcb e6edf5 ffb627 ffe27a 9fe8e0 f3fbff "
        "c9c3ff ff7d9c f6e45f 74e08f 66c9ff c09bff ffd75e fff6d0 ffffff ffc8ee bfe6ff 8296ae 9fb6d0 c98a6c "
        "f0a07a e6f4ff 22c796 ff9a3d ff6268 b877ff ff4a4a 4c9bff 000000 571616 512100 3e2f00 1b3a00 003e28 "
        "003c47 00345b 26295f 411e52 511738 943835 8b4600 6f5900 3d690f 00704f 006d7c 00619a 4b519f 73428c "
        "8c3866 ffb0a7 ffbe78 e8d16b b0e38d 71ebc3 54e8f8 81dbff bcc9ff eeb9ff ffafde 712523 6a3100 534100 "
        "2a4e06 005339 00515e 004776 363a7a 562d6b 6a254c 383a3f 4d4e54 626368 77787d 8b8d91 a0a2a6 b5b7ba "
        "cacbcf dfe0e3 af7f21 3a9e63 92a157 b35d75 3b8c96 5bb0cd 88643c 767fd8 7ab482 527937 b2c465 d49ac8 "
        "537ab7 615129 58aaa2 ffeaa4 2a7a67 a984d9 64cbb2 daca92 bf8494 d79a24 7e8054 b6a97f 42be71 b97c4a "
        "2a6ea5 76629a 406582 d4a5a0 8e71b7 d76b86 dab042 2c552a 76c8d7 885676 55856c dc8e4c 31654f c6ade2 "
        "9b5057 aac686 aa86b2 70977c d4b970 8997de b6994e 5397c1 d7d0b1 285166 92896d 9dadff 734b56 584e79 "
        "51c6dc 7bb0aa 50739a 86631e 92695a cee36e "
    ),
    Theme.LIGHT: (
        "edebe4 ffffff f8f6f0 c9c5ba e2e6ee 7b7f89 15171c 585d68 8a5a00 0e7035 b3242b 005e9e 8a4a00 4752c4 "
        "d9d6cd 1d57c7 0b7038 a34a00 ba1f2b 7a1fc9 8c4a20 556270 3c4854 935a00 6f4a00 0f6b66 2f5470 4a3fa8 "
        "c2185b b34700 2f7a1e 00727a 0b62b4 6a3fd0 7a2e6b 0b4fa0 6b7079 5b6e82 3f607f 84523c a5431f 10485e "
        "008a63 c25e00 d3202a 8c1be1 c8141e 0b62d6 000000 571616 512100 3e2f00 1b3a00 003e28 003c47 00345b "
        "26295f 411e52 511738 943835 8b4600 6f5900 3d690f 00704f 006d7c 00619a 4b519f 73428c 8c3866 ffb0a7 "
        "ffbe78 e8d16b b0e38d 71ebc3 54e8f8 81dbff bcc9ff eeb9ff ffafde 712523 6a3100 534100 2a4e06 005339 "
        "00515e 004776 363a7a 562d6b 6a254c c6c4c0 b2b1ad 9e9e9b 8b8b89 777777 646465 505153 3c3e40 292a2e "
        "688fda ca8150 d66592 a467d6 4daaa5 b19ae0 c74e59 458d58 76bed4 d79982 7e8142 2f84a7 9b9f5f ae6b2c "
        "7ab482 e08cad 75d0a2 7f80b5 ab6b68 c1b865 8aa0c4 4373d0 a6749c 378480 5d7528 d4a4c6 5a9d75 5e4425 "
        "a8bada 2c552a 885676 bc8080 c73a74 5391b9 d4b598 abc67e 7aafa4 3d7055 69959c 7e5bd5 50c9cf 685fb6 "
        "a28650 9b5057 735e95 876725 b4a67c d16a72 b992ae 557b9e ceaee3 3169ab 996a46 8f43d0 9c7fe0 5c6441 "
        "598b3f e9b8bd becde1 666fce 67895f 8eabe3 "
    ),
}
TONES: Final[Mapping[Theme, tuple[int, ...]]] = {
    theme: tuple(int(code, 16) for code in codes.split()) for theme, codes in _WRITTEN.items()
}
"""The tones as 0xRRGGBB; a pixel is the number of its tone."""
