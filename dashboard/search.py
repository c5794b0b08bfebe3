"""What typed words look for: every word as the beginning of a word, or an amount as it is written."""

import re
from functools import lru_cache
from typing import Any

from django.contrib.postgres.search import SearchQuery
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler

from dashboard.money import FOUR_DIGITS, NO_DIGITS, THREE_DIGITS, marks
from dashboard.phones import beginning

UNUSUAL = ((0, sorted(NO_DIGITS)), (3, sorted(THREE_DIGITS)), (4, sorted(FOUR_DIGITS)))
# An amount as lists print it, with its currency's code or without.
AMOUNT = re.compile(r"(?:(?P<before>[A-Za-z]{3})\s?)?(?P<number>[0-9][0-9.,'’\s]*?)(?:\s?(?P<after>[A-Za-z]{3}))?")
PLAIN = (",", ".")
DIGITS = "0123456789"
# What the database takes for a number in scientific notation, and what follows it without a space.
POWER_OF_TEN = re.compile(r"([0-9]+e[0-9]+)([^0-9]\w*)", re.IGNORECASE)


def matching(typed: str, search: str, money: tuple[str, str] | None = None, locale: str = "en_KE") -> Q | None:
    """The filter for typed words: `search` is the tsvector's field, `money` those of currency and minor units.

    An amount is read as the locale writes it, and as it is written without one; a telephone number in any spelling.

    None where nothing was typed that could be looked for.
    """
    query = " & ".join(filter(None, map(_begins, typed.split())))
    if not query:
        return None
    if phone := beginning(typed, locale):
        # However it is typed, a telephone number is searched as it is stored: with the + before it, or without.
        query = f"({query}) | {_quoted(phone)} | {_quoted(f'+{phone}')}"
    matches = Q(**{search: Begins(query, search_type="raw")})
    if money and (amount := AMOUNT.fullmatch(typed)):
        code = (amount["before"] or amount["after"] or "").upper()
        for whole, digits in _numbers(amount["number"], locale):
            rows = _amount(money, whole, digits)
            matches |= rows & Q(**{money[0]: code}) if code else rows
    return matches


def _numbers(text: str, locale: str) -> set[tuple[int, str]]:
    """The amounts that a text can be read as: (whole units, the digits after the point)."""
    ways = (_number(*way).fullmatch(text) for way in {PLAIN, marks(locale)})
    return {(int(re.sub(r"\D", "", way[1])), way[2] or "") for way in ways if way}


@lru_cache(maxsize=64)
def _number(group: str, point: str) -> re.Pattern[str]:
    between = r"\s" if group.isspace() else re.escape(group)
    return re.compile(rf"(\d{{1,3}}(?:{between}?\d{{3}})*|\d{{1,12}})(?:{re.escape(point)}(\d{{1,4}}))?")


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
    words_query = " & ".join(map(_word, words))
    return words_query if words == [chunk] else f"(({words_query}) | {_quoted(chunk)})"


def _word(word: str) -> str:
    if word[0] not in DIGITS:
        return _quoted(word)
    ways = [_quoted(word), _quoted(f"-{word}")]
    if number := POWER_OF_TEN.fullmatch(word):
        # "12e45ab", as an id in hexadecimal digits may begin, is kept as the number 12e45 and the word "ab".
        ways.append(f"({_word(number[1])} & {_word(number[2])})")
    return f"({' | '.join(ways)})"


def _quoted(text: str) -> str:
    escaped = text.lower().replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}':*"


def _amount(money: tuple[str, str], whole: int, digits: str) -> Q:
    """Rows of that amount, each in its own currency's digits."""
    currency, minor = money
    matches = Q()
    for places, codes in UNUSUAL:
        if len(digits) <= places:
            matches |= Q(**{minor: _minor(whole, digits, places), f"{currency}__in": codes})
    if len(digits) <= 2:
        unusual = [code for _, codes in UNUSUAL for code in codes]
        matches |= Q(**{minor: _minor(whole, digits, 2)}) & ~Q(**{f"{currency}__in": unusual})
    return matches


def _minor(whole: int, digits: str, places: int) -> int:
    return int(f"{whole}{digits.ljust(places, '0')}")
