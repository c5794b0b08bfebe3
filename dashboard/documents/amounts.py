"""Numbers, dates and currencies as people write them on receipts, in whatever country."""

import re
from datetime import date
from decimal import Decimal

# Grouped by comma, dot, blank or apostrophe, with two or three decimals or none.
AMOUNT = re.compile(
    r"(?<![\w.,/-])-?\d{1,3}(?:[.,' \u00a0\u202f]\d{3}){1,4}(?:[.,]\d{1,3})?(?![\w%/])|(?<![\w.,/-])-?\d{1,12}(?:[.,]\d{1,3})?(?![\w%/]|[.,]\d)"
)
PERCENT = re.compile(r"\d+(?:[.,]\d+)?\s*%")
SIGNS = {"€": "EUR", "£": "GBP", "₦": "NGN", "₹": "INR", "¥": "JPY", "₵": "GHS"}
# Words for money that stand for one currency: "KSh 1,200", "Shs".
WORDS = {
    "KSH": "KES",
    "KSHS": "KES",
    "KES": "KES",
    "USH": "UGX",
    "TSH": "TZS",
    "RWF": "RWF",
    "FCFA": "XOF",
    "US$": "USD",
}
CODE = re.compile(r"(?<![A-Z])([A-Z]{3})(?![A-Z])")
KNOWN = frozenset(
    ["AED", "AUD", "BHD", "BIF", "BRL", "BWP", "CAD", "CDF", "CHF", "CNY", "CZK", "DKK", "EGP", "ETB", "EUR", "GBP", "GHS", "HKD", "HUF", "IDR", "ILS", "INR", "JOD", "JPY", "KES", "KRW", "KWD", "MAD", "MUR", "MWK", "MXN", "MZN", "NGN", "NOK", "NZD", "OMR", "PHP", "PKR", "PLN", "QAR", "RON", "RWF", "SAR", "SEK", "SGD", "SSP", "THB", "TND", "TRY", "TZS", "UAH", "UGX", "USD", "VND", "XAF", "XOF", "ZAR", "ZMW"]
)  # fmt: skip
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero januari", "feb february februar février fevrier febrero februari",
            "mar march märz maerz mars marzo machi", "apr april avril abril aprili", "may mai mayo mei",
            "jun june juni juin junio", "jul july juli juillet julio julai", "aug august août aout agosto agosti",
            "sep sept september septembre septiembre septemba", "oct october okt oktober octobre octubre oktoba",
            "nov november novembre noviembre novemba", "dec december dez dezember décembre decembre diciembre desemba",
        ), start=1
    )
    for name in names.split()
}  # fmt: skip
YEAR_FIRST = re.compile(r"(?<!\d)(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](20\d\d|\d\d)(?!\d)")
DAY_MONTH = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?[ -]+([A-Za-zäéû]{3,10})\.?,?[ -]+(20\d\d|\d\d)(?!\d)")
MONTH_DAY = re.compile(r"([A-Za-zäéû]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (20\d\d)(?!\d)")


def amounts_in(text: str) -> list[Decimal]:
    """The amounts in a line, from left to right, without percentages and dates."""
    for pattern in (PERCENT, YEAR_FIRST, YEAR_LAST, DAY_MONTH, MONTH_DAY):
        text = pattern.sub(" ", text)
    return [amount for amount in map(amount_of, AMOUNT.findall(text)) if amount is not None]


def amount_of(text: str) -> Decimal | None:
    """The number that is written so, whichever of comma and dot stands before its decimals; None where it is none.

    A single mark before exactly three digits groups them: "1,284" is 1284.
    """
    cleaned = re.sub(r"[' \u00a0\u202f]", "", text)
    marks = [place for place, letter in enumerate(cleaned) if letter in ".,"]
    if marks:
        last = marks[-1]
        decimals = len(cleaned) - last - 1
        groups = decimals == 3 and len({cleaned[place] for place in marks}) == 1 and not cleaned.startswith("0")
        whole = re.sub(r"[.,]", "", cleaned[:last])
        cleaned = re.sub(r"[.,]", "", cleaned) if groups else f"{whole}.{cleaned[last + 1 :]}"
    return Decimal(cleaned) if re.fullmatch(r"-?\d+(\.\d+)?", cleaned) else None


def currencies_in(text: str) -> list[str]:
    """The currencies named in a line by code, sign or word, in that order; "$" alone names none."""
    codes = [code for code in CODE.findall(text) if code in KNOWN]
    codes += [code for sign, code in SIGNS.items() if sign in text]
    codes += [WORDS[word] for word in re.findall(r"[A-Z$]{3,4}", text.upper()) if word in WORDS]
    return list(dict.fromkeys(codes))


def dates_in(text: str) -> list[tuple[date, ...]]:
    """The dates in a line; each as the days that can be meant by it, the likeliest first: 3/4/2026 is two."""
    by_place: list[tuple[int, tuple[date, ...]]] = []
    for match in YEAR_FIRST.finditer(text):
        by_place.append((match.start(), _days((match[1], match[2], match[3]))))
    for match in YEAR_LAST.finditer(YEAR_FIRST.sub(lambda match: "#" * len(match[0]), text)):
        by_place.append((match.start(), _days((match[3], match[2], match[1]), (match[3], match[1], match[2]))))
    for match in DAY_MONTH.finditer(text):
        by_place.append((match.start(), _days((match[3], _month(match[2]), match[1]))))
    for match in MONTH_DAY.finditer(text):
        by_place.append((match.start(), _days((match[3], _month(match[1]), match[2]))))
    return [days for _, days in sorted(by_place) if days]


def _month(word: str) -> str:
    return str(MONTHS.get(word.lower(), 0))


def _days(*candidates: tuple[str, str, str]) -> tuple[date, ...]:
    days = []
    for year, month, day in candidates:
        full = int(year) if len(year) == 4 else 2000 + int(year)
        try:
            days.append(date(full, int(month), int(day)))
        except ValueError:
            continue
    return tuple(dict.fromkeys(days))
