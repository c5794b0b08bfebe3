"""What typed words look for: every word as the beginning of a word, or an amount as it is written."""

import re
from typing import Any

from django.contrib.postgres.search import SearchQuery
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler

from dashboard.client.money import FOUR_DIGITS, NO_DIGITS, THREE_DIGITS

UNUSUAL = ((0, sorted(NO_DIGITS)), (3, sorted(THREE_DIGITS)), (4, sorted(FOUR_DIGITS)))
NUMBER = re.compile(r"(\d{1,3}(?:,?\d{3})*|\d{1,12})(?:\.(\d{1,4}))?")


def matching(typed: str, search: str, money: tuple[str, str] | None = None) -> Q | None:
    """The rows that are meant: `search` is the tsvector's field, `money` those of currency and minor units.

    None where nothing was typed that could be looked for.
    """
    asked = " & ".join(filter(None, map(_begins, typed.split())))
    if not asked:
        return None
    found = Q(**{search: Begins(asked, search_type="raw")})
    number = NUMBER.fullmatch(typed)
    if number and money:
        found |= _amount(money, int(number[1].replace(",", "")), number[2] or "")
    return found


class Begins(SearchQuery):
    """A search query from its own words: the parser would cut what was typed otherwise than the column's text."""

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **extra_context: Any,
    ) -> tuple[str, tuple[str | int, ...]]:
        """The words as they stand, without a parser."""
        return super().as_sql(compiler, connection, function, "(%(expressions)s)::tsquery")


def _begins(chunk: str) -> str:
    # The database keeps an e-mail address or a signed number ("TRX-77" holds "-77") whole: a chunk is looked for in its
    # words and as it is written.
    words = re.findall(r"\w+", chunk)
    if not words:
        return ""
    each = " & ".join(
        f"({_quoted(word)} | {_quoted('-' + word)})" if word.isdigit() else _quoted(word) for word in words
    )
    return each if words == [chunk] else f"(({each}) | {_quoted(chunk)})"


def _quoted(text: str) -> str:
    escaped = text.lower().replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}':*"


def _amount(money: tuple[str, str], whole: int, digits: str) -> Q:
    """Rows of that amount, each in its own currency's digits."""
    currency, minor = money
    found = Q()
    for places, codes in UNUSUAL:
        if len(digits) <= places:
            found |= Q(**{minor: _minor(whole, digits, places), f"{currency}__in": codes})
    if len(digits) <= 2:
        unusual = [code for _, codes in UNUSUAL for code in codes]
        found |= Q(**{minor: _minor(whole, digits, 2)}) & ~Q(**{f"{currency}__in": unusual})
    return found


def _minor(whole: int, digits: str, places: int) -> int:
    return int(f"{whole}{digits.ljust(places, '0')}")
