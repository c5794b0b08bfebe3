"""What banks call an account, and when two of their files mean the same one."""

# What a bank calls an account may be the end of its IBAN, where it is no shorter than this.
SHORTEST_ACCOUNT = 6


def is_same_account(account: str, other: str) -> bool:
    """Whether two files mean the same account: written with blanks or without, as an IBAN or as what an IBAN ends with."""
    return any(
        first == second or (min(len(first), len(second)) >= SHORTEST_ACCOUNT and _is_end(first, second))
        for first in _written(account)
        for second in _written(other)
    )


def _written(account: str) -> set[str]:
    """An account in letters and digits alone: whole, and without the bank before its last slash."""
    parts = {account, account.rsplit("/", 1)[-1]}
    return {"".join(letter for letter in part.upper() if letter.isalnum()) for part in parts} - {""}


def _is_end(first: str, second: str) -> bool:
    return first.endswith(second) or second.endswith(first)
