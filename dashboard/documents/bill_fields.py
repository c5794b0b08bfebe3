"""What the text of a bill says beyond a receipt: its number, and the day it is due. Found by the words before them, so
never more than likely."""

import re
from datetime import date, datetime

from dashboard.documents.readings import Reading, Value

NUMBER = re.compile(
    r"\b(?:invoice|bill|rechnung|facture|inv)\b\.?\s*(?:no|number|nr|num)?\.?\s*[:#]?\s*([A-Z0-9][A-Z0-9/\-]{0,38}\d|\d)(?![\w/\-])",
    re.IGNORECASE,
)
DUE = re.compile(
    r"\b(?:due(?: date| on| by)?|payable by|pay by|fällig am)\s*[:]?\s*(\d{4}-\d{2}-\d{2}|\d{1,2} [A-Za-z]{3,9} \d{4})",
    re.IGNORECASE,
)
FORMATS = ("%Y-%m-%d", "%d %b %Y", "%d %B %Y")


def number_in(reading: Reading) -> Value | None:
    """The bill's number; None where no word announces one."""
    numbers = list(dict.fromkeys(match[1] for match in NUMBER.finditer(reading.words)))
    return Value(numbers[0], "likely", others=tuple(numbers[1:])) if numbers else None


def due_in(reading: Reading) -> Value | None:
    """The day that the bill is due; None where no word announces one."""
    days = [day for match in DUE.finditer(reading.words) if (day := _day(match[1]))]
    return Value(days[0].isoformat(), "likely", others=tuple(day.isoformat() for day in days[1:])) if days else None


def _day(text: str) -> date | None:
    for spelling in FORMATS:
        try:
            return datetime.strptime(text, spelling).date()  # noqa: DTZ007  a day, which has no zone
        except ValueError:
            continue
    return None
