"""The 160 tones of each theme that pictures are painted in: every flat colour, and shades between those that meet.

Chosen by tests/ui/test_tones.py, which also writes them anew; to choose them takes too long for a first picture.
"""

from collections.abc import Mapping
from typing import Final

from bot.domain.members import Theme

_WRITTEN: Final = {
    Theme.DARK: (
        "0e1016 1b1e28 242836 3a4052 2d3344 7c869e f4f5f8 a9b0c0 ffcb45 4ade80 ff8585 6fd3ff 12141b 6fa8ff "
        "4fd98a ffa04d ff7a7a c79bff e39b6d aebbcb e6edf5 ffb627 ffe27a 9fe8e0 f3fbff c9c3ff ff7d9c ffb35c "
        "f6e45f 74e08f 66c9ff c09bff ffd75e fff6d0 ffffff ffc8ee bfe6ff 8296ae 9fb6d0 c98a6c f0a07a e6f4ff "
        "22c796 ff9a3d ff6268 b877ff ff4a4a 4c9bff 000000 571616 512100 3e2f00 1b3a00 003e28 003c47 00345b "
        "26295f 411e52 511738 943835 8b4600 6f5900 3d690f 00704f 006d7c 00619a 4b519f 73428c 8c3866 ffb0a7 "
        "ffbe78 e8d16b b0e38d 71ebc3 54e8f8 81dbff bcc9ff eeb9ff ffafde 712523 6a3100 534100 2a4e06 005339 "
        "00515e 004776 363a7a 562d6b 6a254c 383a3f 4d4e54 626368 77787d 8b8d91 a0a2a6 b5b7ba cacbcf dfe0e3 "
        "987b31 39a362 4faec9 9dae5e ba5c5d 328696 68b18b be9a3d 5781c2 678247 c0b385 9b7dca d6969f 825b40 "
        "347656 ffeaa4 345f7a e0ce94 5c4928 c36883 db9fc8 9d7d5f 8a99e0 6b6d23 79619d 8bc775 6ccdaf 5cd1d5 "
        "63946f 41c171 b6c866 ddb13f 477931 be7b42 9dadff a19775 94626d 6192de b287a4 ba8722 7abfe3 b18ce4 "
        "559692 995624 ccafe6 dd9e25 52718a 93b992 246ca4 859356 285541 7eb4b3 24797b ddd5b5 de8d48 a27688 "
        "7aac6b 8dcdc8 754246 4b7f70 9a4d52 4f71a9 "
    ),
    Theme.LIGHT: (
        "edebe4 ffffff f8f6f0 c9c5ba e2e6ee 7b7f89 15171c 585d68 8a5a00 0e7035 b3242b 005e9e 1d57c7 0b7038 "
        "a34a00 ba1f2b 7a1fc9 8c4a20 556270 3c4854 935a00 6f4a00 0f6b66 2f5470 4a3fa8 c2185b b34700 2f7a1e "
        "00727a 0b62b4 6a3fd0 7a2e6b 0b4fa0 6b7079 5b6e82 3f607f 84523c a5431f 10485e 008a63 c25e00 d3202a "
        "8c1be1 c8141e 0b62d6 000000 571616 512100 3e2f00 1b3a00 003e28 003c47 00345b 26295f 411e52 511738 "
        "943835 8b4600 6f5900 3d690f 00704f 006d7c 00619a 4b519f 73428c 8c3866 ffb0a7 ffbe78 e8d16b b0e38d "
        "71ebc3 54e8f8 81dbff bcc9ff eeb9ff ffafde 712523 6a3100 534100 2a4e06 005339 00515e 004776 363a7a "
        "562d6b 6a254c c6c4c0 b2b1ad 9e9e9b 8b8b89 777777 646465 505153 3c3e40 292a2e a774d9 d35a8a 4faec9 "
        "c97c49 4f7fb7 8ea9dd a6a661 418b56 c64854 d59079 68b18b 747d3a d48eaf c69fe8 a66467 a27224 729d5d "
        "6ccea7 368981 7a94be cdb389 5dcfdc 986390 5f64cb 499aa0 a3c67c aa96c2 92c3c6 a08460 a77da3 b15d3d "
        "287fa2 5c5c30 d2b664 b6d6da 7975b6 c73570 5e87d7 dba6ca 9858d4 83c4e9 386849 6aabad b1b9db 513d23 "
        "ac787f d9779b ce5f68 e7cdd0 90ab7c 519971 454cc5 885273 4f7731 396bcd 92bda1 6f5a9b 637c56 937449 "
        "7a6924 6b8da3 324e24 744959 dba6a1 d4b9e5 "
    ),
}
TONES: Final[Mapping[Theme, tuple[int, ...]]] = {
    theme: tuple(int(code, 16) for code in codes.split()) for theme, codes in _WRITTEN.items()
}
"""They are written as 0xRRGGBB; a pixel is the number of its tone."""
