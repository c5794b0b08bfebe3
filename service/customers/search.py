"""Full-text search over name, telephone number and e-mail address: at most ten active customers, best hits first.

An exact telephone number comes first, then names that begin as asked, then whatever else does; within these by name.
Each look-up reads a bounded piece of the index of terms (search_terms.py), so that a letter that half of all customers match
costs no more than a name that nobody has. Several words must all be found: as a phrase where they stand together, else
by reading those that match the rarest word, up to SCANNED terms of a rank. Where every word is more frequent than that,
pairs of words of the name are looked up as such, the first of them whole; only what is as sparse as it is long to look
for, two beginnings of frequent words or a mix of name and address that few have, may then be cut off.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from django.db import connection

from service.auth import Caller
from service.customers.models import Customer, Rank
from service.customers.search_terms import TERM_LENGTH, digits, fold, is_phone

MOST = 10
# How many terms of a range are looked at for the ten whose names come first.
WINDOW = 500
# How many terms that begin with one word are looked at for those that hold the other words too.
SCANNED = 2000
# The rarest word is sought among so many of the longest, and all pairs of these are looked up.
WEIGHED = 3
# Above all characters in the order of bytes.
LAST = "\U0010ffff"

RANGE = (
    "(select {place} as place, customer_id, line from customers_customerterm"
    " where business_id = %s and rank = {rank} and term >= %s and term < %s"
    " order by term, customer_id limit {limit})"
)
BEST = "select customer_id from ({ranges}) hits group by customer_id, line order by min(place), line, customer_id limit {most}"
HOLDING = "(select * from {range} read where true{also} limit {hits})"
COUNT = "(select count(*) from (select from ({ranges}) matching limit {limit}) counted)"

Params = list[Any]


@dataclass(frozen=True, slots=True)
class Word:
    """A word that is searched for; a number also as telephone numbers are kept."""

    text: str
    number: str = ""

    @property
    def patterns(self) -> list[str]:
        """LIKE patterns, of which one must fit the line. Words hold neither % nor _."""
        return [f"% {term}%" for term in dict.fromkeys((self.text, self.number)) if term]


def search(caller: Caller, query: str) -> list[Customer]:
    """The customers of the business that match all words of the query, ten at most."""
    words = list(dict.fromkeys(fold(query).split()))
    number = digits(query) if is_phone(query) else ""
    if not words:
        return []
    ids = _phrase(caller, " ".join(words), number)
    if len(words) > 1 and len(ids) < MOST and not number:
        sought = [Word(word, digits(word) if word.isdigit() else "") for word in words]
        ids += [customer_id for customer_id in _all_words(caller, sought) if customer_id not in ids]
    customers = Customer.objects.in_bulk(ids[:MOST])
    return [customers[customer_id] for customer_id in ids[:MOST] if customer_id in customers]


def _phrase(caller: Caller, phrase: str, number: str) -> list[str]:
    """Those of whom a term begins with the whole phrase, or whose number begins with it."""
    ranges, params = [], Params()
    if number:
        ranges.append(_range(0, Rank.PHONE, MOST))
        params += [caller.business.id, number[:TERM_LENGTH], number[:TERM_LENGTH] + "\x01"]
        ranges.append(_range(2, Rank.PHONE, WINDOW))
        params += [caller.business.id, *_bounds(number)]
    ranges += [_range(1, Rank.NAME, MOST), _range(2, Rank.REST, WINDOW)]
    params += [caller.business.id, *_bounds(phrase)] * 2
    return _ids(BEST.format(ranges=" union all ".join(ranges), most=MOST), params)


def _all_words(caller: Caller, words: Sequence[Word]) -> list[str]:
    """Those whose words begin with each of the words."""
    by_length = sorted(words, key=lambda word: len(word.text), reverse=True)
    weighed, light = by_length[:WEIGHED], by_length[WEIGHED:]
    counts = _counts(caller, weighed)
    rarest = weighed[counts.index(min(counts))]
    ranges, params = _beginning(caller, rarest, SCANNED, [word for word in words if word != rarest])
    if min(counts) > SCANNED:
        pair_ranges, pair_params = _pairs(caller, weighed, light)
        ranges, params = ranges + pair_ranges, params + pair_params
    return _ids(BEST.format(ranges=" union all ".join(ranges), most=MOST), params)


def _counts(caller: Caller, words: Sequence[Word]) -> tuple[int, ...]:
    """How many terms begin with each word; a number above SCANNED says no more than that."""
    parts, params = [], Params()
    for word in words:
        ranges, word_params = _beginning(caller, word, SCANNED + 1, ())
        parts.append(COUNT.format(ranges=" union all ".join(ranges), limit=SCANNED + 1))
        params += word_params
    with connection.cursor() as cursor:
        cursor.execute(f"select {', '.join(parts)}", params)
        row = cursor.fetchone()
    assert row is not None
    return tuple(row)


def _beginning(caller: Caller, word: Word, limit: int, others: Sequence[Word]) -> tuple[list[str], Params]:
    """The ranges of all terms that begin with the word and whose lines hold the other words."""
    also, patterns = _holding(others)
    sought = [(Rank.NAME, word.text), (Rank.REST, word.text)]
    if word.number:
        sought.append((Rank.PHONE, word.number))
    ranges, params = [], Params()
    for rank, text in sought:
        inner = _range(2, rank, limit)
        # The limit bounds what is read, not what is found.
        ranges.append(HOLDING.format(range=inner, also=also, hits=WINDOW) if others else inner)
        params += [caller.business.id, *_bounds(text), *patterns]
    return ranges, params


def _pairs(caller: Caller, words: Sequence[Word], light: Sequence[Word]) -> tuple[list[str], Params]:
    """The ranges of all terms that begin with two of the words, the first of the two whole."""
    ranges, params = [], Params()
    for first, other in permutations(words, 2):
        also, patterns = _holding([*(word for word in words if word not in (first, other)), *light])
        for rank in (Rank.NAME, Rank.REST):
            ranges.append(HOLDING.format(range=_range(2, rank, WINDOW), also=also, hits=WINDOW))
            params += [caller.business.id, *_bounds(f"{first.text} {other.text}"), *patterns]
    return ranges, params


def _holding(words: Sequence[Word]) -> tuple[str, Params]:
    """The condition that a line holds each of the words."""
    conditions, params = "", Params()
    for word in words:
        conditions += f" and ({' or '.join(['line like %s'] * len(word.patterns))})"
        params += word.patterns
    return conditions, params


def _range(place: int, rank: Rank, limit: int) -> str:
    return RANGE.format(place=place, rank=int(rank), limit=limit)


def _bounds(text: str) -> list[str]:
    """From where to where the terms lie that begin with the text."""
    return [text[:TERM_LENGTH], text[:TERM_LENGTH] + LAST]


def _ids(statement: str, params: Params) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return [row[0] for row in cursor.fetchall()]
