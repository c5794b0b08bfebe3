"""Whether a line of a document names a merchant: by the words that tell it from others, without towns and kinds of shops."""

import re
import unicodedata
from collections.abc import Iterable

# What is printed on the receipts of everybody says of nobody who it is.
_PRINTED = """
total subtotal amount balance change cash card visa mastercard mpesa paid payment due net gross tax vat gst pin tin
invoice receipt bill number date time table till cashier server customer client order item items qty quantity price
rate discount tel phone fax email mail www com http https page copy original thank thanks you your for and the with
mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep sept oct nov dec
"""
# Legal forms, kinds of business, and places: what many names have.
_GENERAL = """
ltd limited inc incorporated llc llp plc gmbh sarl bv company corp corporation group holding holdings international
sons brothers partners enterprise enterprises trading traders general
store stores shop shops branch outlet mart market supermarket hypermarket centre center mall plaza house station
petrol fuel service services solutions supplies supplier agency agencies hotel hotels lodge restaurant cafe coffee
bar grill bakery kitchen foods pharmacy chemist chemists hospital clinic hardware bookshop books taxi cab cabs
transport travel tours airways airlines bank insurance
road street avenue lane drive way highway building tower towers floor city town north south east west central new
kenya uganda tanzania rwanda ethiopia nigeria ghana africa african netherlands holland germany france spain italy
belgium europe england
nairobi mombasa kisumu nakuru eldoret thika malindi nanyuki naivasha machakos nyeri meru kericho kitale kampala
entebbe arusha kigali lagos accra westlands ngong karen kilimani lavington parklands langata kileleshwa eastleigh
amsterdam rotterdam utrecht eindhoven hague london paris berlin munich hamburg madrid barcelona rome milan brussels
dublin york dubai johannesburg
"""
PRINTED, GENERAL = frozenset(_PRINTED.split()), frozenset(_GENERAL.split())
# Where a name was run together ("PATACAB"), so many letters are one: fewer stand in other words by chance.
LEAST_LETTERS = 6


def line_naming(merchant: str, name: str, lines: Iterable[str]) -> str | None:
    """The line that names the merchant: `name` where the document's own name does (more than half of the words that tell
    the merchant from others), else the first of its `lines` that does, which must have two words of a name of several.

    None where no line does.
    """
    words = _words(merchant)
    if _has_most(words, name) or _is_run_together(merchant, name):
        return name
    for line in lines:
        if _has_most(words, line) and len(words & _words(line)) >= min(2, len(words)):
            return line
    return None


def is_distinctive(merchant: str) -> bool:
    """Whether the name has words that tell it from others: one general word alone ("Hotel") does not."""
    words = _words(merchant)
    return bool(words - GENERAL) or len(words) > 1


def _has_most(words: frozenset[str], line: str) -> bool:
    distinctive = words - GENERAL
    shared = words & _words(line)
    # "City Hotel" has nothing else: then each of its words.
    return 2 * len(shared & distinctive) > len(distinctive) if distinctive else len(words) > 1 and shared == words


def _words(name: str) -> frozenset[str]:
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(letter)
    )
    return frozenset(word for word in re.findall(r"\w{3,}", plain) if word not in PRINTED and not word.isdigit())


def _is_run_together(merchant: str, name: str) -> bool:
    # In a picture blanks are lost easily.
    letters = _letters(merchant)
    return len(letters) >= LEAST_LETTERS and letters in _letters(name)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
