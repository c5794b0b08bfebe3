"""Signs that begin a formula, and what a spreadsheet passes over before it looks for one: for the files of both programs."""

SIGNS = "=+-@＝＋－＠﹢﹣﹦﹫⁺⁻⁼₊₋₌"
UNSEEN = [
    "", " ", "\u00a0", "\u200b", "\u200e", "\ufeff", "\u2060", "\u3000", "\u00ad", "\u3164", "\t", "\x00", "\u202e",
    "\ud7fc", "\ue000", "\u0378", "\U000e0041",
]  # fmt: skip
