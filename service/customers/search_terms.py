"""What a customer is found by: words of name, e-mail address and telephone number, brought to one form.

A term is the rest of a text from one of its words on ("otieno supplies" of "Mary Otieno Supplies"), so that words as
well as phrases are found by how they begin. Pairs of words of the name that do not stand side by side are terms too:
two frequent words in any order are then found together, without reading all that hold one of them.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import permutations

from service.customers.models import Rank

TERM_LENGTH = 80
LINE_LENGTH = 400
WORDS_PAIRED = 5
NATIONAL_DIGITS = 9
_WORD = re.compile(r"\w+")
_PHONE = re.compile(r"\+?[\d\s().\-/]+")


def fold(text: str) -> str:
    """Casefolded, without accents, words alone with single spaces between them: Café-Zürich → cafe zurich."""
    bare = "".join(
        character
        for character in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(character)
    )
    return " ".join(_WORD.findall(bare.replace("_", " ")))


def digits(text: str) -> str:
    """The digits of a telephone number, without what stands before it within a country or abroad: 0700… → 700…"""
    return "".join(
        character for character in unicodedata.normalize("NFKD", text) if character.isascii() and character.isdigit()
    ).lstrip("0")


def is_phone(text: str) -> bool:
    """Whether somebody searches for a telephone number."""
    return bool(_PHONE.fullmatch(text)) and bool(digits(text))


@dataclass(frozen=True, slots=True)
class Searchable:
    """What can be searched for of a customer."""

    name: str
    email: str = ""
    phone: str = ""

    @property
    def line(self) -> str:
        """All words in one text, the name first, each with a space before it; as much as an index takes."""
        text = " " + " ".join(part for part in (fold(self.name), *self._numbers(), fold(self.email)) if part)
        return text[:LINE_LENGTH]

    def terms(self) -> set[tuple[int, str]]:
        """The ranks and terms: how well each fits what begins with it, and the term itself."""
        name = fold(self.name)
        ranked = {(int(Rank.NAME), name)} if name else set()
        rest = {*_tails(name)[1:], *_tails(fold(self.email)), *_pairs(name)}
        ranked |= {(int(Rank.REST), term) for term in rest}
        ranked |= {(int(Rank.PHONE), term) for term in self._numbers()}
        return {(rank, term[:TERM_LENGTH].rstrip()) for rank, term in ranked}

    def _numbers(self) -> list[str]:
        """The number with its country's code, and as it is dialled within the country."""
        number = digits(self.phone)
        return list(dict.fromkeys(form for form in (number, number[-NATIONAL_DIGITS:]) if form))


def _tails(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[place:]) for place in range(len(words))]


def _pairs(text: str) -> set[str]:
    words = text.split()[:WORDS_PAIRED]
    return {
        f"{words[first]} {words[other]}" for first, other in permutations(range(len(words)), 2) if other != first + 1
    }
