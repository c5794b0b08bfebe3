"""Payments that may be made twice, on the screen: which of them, what each repeats, and the digest of exactly what stands there."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NotRequired, TypedDict

from dashboard.access.actor import Actor
from dashboard.cash.earlier_payments import ComparedPayment, EarlierPayment, earlier_payments
from dashboard.money import text
from dashboard.pages.payouts.presenters.compared_rows import ComparedPair, pair_of
from dashboard.pages.payouts.selectors.progress import ranges_text
from dashboard.pages.payouts.services.lines import MAX_ROWS, PaymentLine, repeated_lines
from dashboard.times import day_and_time

MAX_REPEATED = 20
NUMBERS = re.compile(rf"[0-9]{{1,5}}(-[0-9]{{1,5}})?(,[0-9]{{1,5}}(-[0-9]{{1,5}})?){{0,{MAX_ROWS}}}")


@dataclass(frozen=True, slots=True)
class Repeat:
    """A line that may be paid twice, and what it is the same as, in words and itself: a payment that was made or may be, or a
    line before it. `more` is how many other payments it is known to be the same as."""

    line: PaymentLine
    sentence: str
    other: EarlierPayment | PaymentLine
    more: int = 0


@dataclass(frozen=True, slots=True)
class Repeated:
    """A payment that may be one twice: its row, its receiver and amount, what it repeats, and both side by side."""

    number: int
    receiver: str
    amount: str
    of: str
    pair: ComparedPair


class RepeatedContext(TypedDict):
    """What payouts/repeated.html and the forms around it read: `droppable` is how many rows may be there twice and
    `drop_numbers` which, `partly` where not all earlier payments were looked at, `digest` what a tick beside it acknowledges."""

    repeated: list[Repeated]
    repeated_count: int
    droppable: int
    drop_numbers: str
    digest: str
    partly: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class PossibleRepeats:
    """The lines that may be paid twice, each with what it is the same as; `whole` where all earlier payments could be
    looked at, `beside` the remote ids of payouts that are shown with them."""

    repeats: list[Repeat]
    whole: bool
    beside: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """What names exactly this: of another payment, another repetition or another payout beside it, it is another."""
        rows = sorted("\x1f".join((*map(str, row.line.payee), row.sentence)) for row in self.repeats)
        return sha256("\x1e".join((*rows, "", *sorted(self.beside))).encode()).hexdigest()

    def __bool__(self) -> bool:
        return bool(self.repeats or self.beside)


def compare(
    actor: Actor, currency: str, lines: Sequence[PaymentLine], *, besides: str = "", copies: Collection[str] = (),
    beside: Sequence[str] = (),
) -> PossibleRepeats:  # fmt: skip
    """What of these lines may be paid twice: within the table, by payouts and bill payments of the last 30 days, drafts too, or
    by payouts among `copies` (their remote ids) of any time. The payout `besides` is not compared with."""
    earlier, whole = earlier_payments(
        actor, currency, [_compared(line) for line in lines], besides=besides, copies=copies
    )
    return PossibleRepeats(repeats_of(actor, lines, earlier), whole, tuple(beside))


def _compared(line: PaymentLine) -> ComparedPayment:
    body = line.body
    return ComparedPayment(line.amount_minor, body["channel"], body["account"], body.get("account_reference") or "")


def repeats_of(actor: Actor, lines: Sequence[PaymentLine], earlier: Sequence[EarlierPayment]) -> list[Repeat]:
    """The lines that are twice in the table, or were paid in the last 30 days or may be, each with what it is the same as: of
    several the newest. In the order of the table."""
    same: dict[int, list[EarlierPayment]] = defaultdict(list)
    for row in earlier:
        same[row.place].append(row)
    of_number = {line.number: line for line in lines}
    repeats = [Repeat(line, f"the same as row {number}", of_number[number]) for line, number in repeated_lines(lines)]
    for place, line in enumerate(lines):
        for paid in same[place][:1]:
            when = day_and_time(paid.at, actor.business)
            draft = ", a draft" if paid.is_draft else ""
            sentence = f"the same as in {paid.title} ({paid.ref}, {when}{draft})"
            repeats.append(Repeat(line, sentence, paid, len(same[place]) - 1))
    return sorted(repeats, key=lambda repeat: repeat.line.number)


def repeated_context(actor: Actor, currency: str, comparison: PossibleRepeats) -> RepeatedContext:
    """The payments that may be there twice, the first MAX_REPEATED of them."""
    rows = [
        Repeated(
            repeat.line.number, repeat.line.values["receiver"],
            text(repeat.line.amount_minor, currency, actor.business.locale), repeat.sentence,
            pair_of(actor, currency, repeat.line, repeat.other, repeat.more),
        )
        for repeat in comparison.repeats[:MAX_REPEATED]
    ]  # fmt: skip
    numbers = sorted({repeat.line.number for repeat in comparison.repeats})
    return {
        "repeated": rows, "repeated_count": len(comparison.repeats), "droppable": len(numbers),
        "drop_numbers": ranges_text(numbers), "digest": comparison.digest, "partly": not comparison.whole,
    }  # fmt: skip


def rows_digest(lines: Sequence[PaymentLine]) -> str:
    """What names exactly these rows by their numbers: whom each pays, where and how much. Of another order it is another."""
    rows = (
        "\x1f".join((str(line.number), *map(str, line.payee), line.body["receiver_name"].casefold())) for line in lines
    )
    return sha256("\x1e".join(rows).encode()).hexdigest()


def dropped_numbers(ranges: str, digest: str, lines: Sequence[PaymentLine]) -> set[int]:
    """The rows that are left out as duplicates, as the page named them ("2-5,7"), of these lines; none where no line would be
    left, nor where the rows are not those of which `digest` was made: a number may be another payment's by now."""
    if digest != rows_digest(lines):
        return set()
    numbers, highest = {line.number for line in lines}, max((line.number for line in lines), default=0)
    named: set[int] = set()
    for part in ranges.split(",") if NUMBERS.fullmatch(ranges) else []:
        first, _, last = part.partition("-")
        named.update(range(int(first), min(int(last or first), highest) + 1))
    dropped = numbers & named
    return dropped if len(dropped) < len(numbers) else set()
