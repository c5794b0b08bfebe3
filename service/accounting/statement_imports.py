"""A bank's statement brought in: what is wrong with it, and its lines, each once however often files hold it."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256

from django.db import transaction

from service import errors
from service.accounting.account_numbers import is_same_account
from service.accounting.matches import lock_wallet
from service.accounting.models import BankStatement, RepeatedLine, SourceFormat, StatementLine
from service.accounting.periods import closed_until
from service.accounting.statement_file import StatementFileLine
from service.accounts.wallets import Wallet
from service.auth import Caller
from service.events.audit import record_audit
from service.ids import object_id
from service.ledger.post import today

# A bank's number of so many digits, leading zeros left out, is no count that begins anew each day.
SHORTEST_NUMBER = 6
NEXT_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StatementFile:
    """What a file says beside its lines: amounts in minor units, None where it has no balances; `account` "" likewise."""

    file_name: str
    sha256: str
    source_format: SourceFormat
    currency: str
    account: str
    first_day: date
    last_day: date
    opening_minor: int | None
    closing_minor: int | None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a statement, of its line `number` or of the whole (0); nothing is imported where it `blocks`."""

    code: str
    message: str
    number: int = 0
    blocks: bool = False


def fingerprints(lines: Iterable[StatementFileLine]) -> list[str]:
    """What is the same for a line in every file that holds it: the bank's own number, or else what the line says, and
    how many lines of that day said the same before it."""
    seen: Counter[tuple[object, ...]] = Counter()
    digests = []
    for line in lines:
        content = _content(line, line.day)
        seen[content] += 1
        digests.append(_digest(content, seen[content]))
    return digests


def _content(file_line: StatementFileLine, day: date) -> tuple[object, ...]:
    described = (file_line.bank_id,) if file_line.bank_id else ("", file_line.reference, file_line.description)
    return (day, file_line.amount_minor, *described)


def _digest(content: tuple[object, ...], number: int) -> str:
    return sha256("\x1f".join(map(str, (*content, number))).encode()).hexdigest()


def wallet_fingerprints(owner: Wallet, file: StatementFile, lines: Sequence[StatementFileLine]) -> list[str]:
    """The fingerprints of the lines of a file as the wallet has them. A line of OFX may be there on the day before or after its
    own: other programs read them in UTC. It is the same one where the bank's number, the amount, the reference and the description
    are, and nothing else in the file is. A short number says nothing of two days: banks count anew each day, and both stay."""
    own = fingerprints(lines)
    if file.source_format != SourceFormat.OFX or not lines:
        return own
    days = (min(line.day for line in lines) - NEXT_DAY, max(line.day for line in lines) + NEXT_DAY)
    rows = StatementLine.objects.filter(wallet=owner, day__range=days, statement__source_format=SourceFormat.OFX)
    there = {
        digest: (reference, text)
        for digest, reference, text in rows.values_list("fingerprint", "reference", "description")
    }
    shifted = there.keys() - set(own)
    digests = []
    for line, fingerprint in zip(lines, own, strict=True):
        is_moved = _is_unique(line.bank_id) and fingerprint not in there
        near = (_digest(_content(line, line.day + apart), 1) for apart in (-NEXT_DAY, NEXT_DAY)) if is_moved else ()
        described = (line.reference, line.description)
        same = next((digest for digest in near if digest in shifted and there[digest] == described), fingerprint)
        shifted.discard(same)
        digests.append(same)
    return digests


def _is_unique(bank_id: str) -> bool:
    """Whether a bank's number can be of one line alone, whatever its day: "CHG000001" may be the first of each day."""
    return len("".join(filter(str.isdecimal, bank_id)).lstrip("0")) >= SHORTEST_NUMBER


def known_fingerprints(owner: Wallet, lines: Sequence[StatementFileLine], own: Collection[str]) -> set[str]:
    """Those of the lines, as the wallet has them, that earlier statements of it brought."""
    if not lines:
        return set()
    days = (min(line.day for line in lines) - NEXT_DAY, max(line.day for line in lines) + NEXT_DAY)
    rows = StatementLine.objects.filter(wallet=owner, day__range=days)
    return set(rows.values_list("fingerprint", flat=True)) & set(own)


def imported_before(owner: Wallet, digest: str) -> BankStatement | None:
    """The statement that the same file was imported as."""
    return BankStatement.objects.filter(wallet=owner, sha256=digest).first()


def findings(caller: Caller, owner: Wallet, file: StatementFile, lines: Sequence[StatementFileLine]) -> list[Finding]:
    """All that is to be said of a statement before it is imported; what blocks first."""
    own = wallet_fingerprints(owner, file, lines)
    of_whole = [*_wrong_whole(owner, file, lines), *_beside_others(owner, file), *_alike(owner, lines, own)]
    return sorted([*of_whole, *_wrong_lines(caller, owner, file, lines, own)], key=lambda finding: not finding.blocks)


def _wrong_whole(owner: Wallet, file: StatementFile, lines: Sequence[StatementFileLine]) -> Iterable[Finding]:
    if file.currency != owner.currency:
        text = f"The statement is in {file.currency}, the wallet in {owner.currency}."
        yield Finding("other_currency", text, blocks=True)
    yield from _wrong_account(owner, file)
    if file.first_day > file.last_day:
        yield Finding("days", "The first day of the statement lies after its last.", blocks=True)
    if file.last_day > today(owner.business):
        yield Finding("future", "The statement speaks of days to come.", blocks=True)
    if file.opening_minor is not None and file.closing_minor is not None:
        reached = file.opening_minor + sum(line.amount_minor for line in lines)
        if reached != file.closing_minor:
            text = "Opening balance and lines do not come to the closing balance."
            yield Finding("wrong_closing", text, blocks=True)


def _wrong_account(owner: Wallet, file: StatementFile) -> Iterable[Finding]:
    """That earlier statements of the wallet are of another account, which blocks unless this one opens with the balance of
    the last of them, and that is not zero; or that those of another wallet are of the same one."""
    if not file.account:
        return
    named = BankStatement.objects.filter(business_id=owner.business_id).exclude(account="").order_by("-created_at")
    own = list(dict.fromkeys(named.filter(wallet=owner).values_list("account", flat=True)))
    if own and not any(is_same_account(account, file.account) for account in own):
        # An account that has another number at the bank by now goes on where it was. That both had nothing on them says nothing.
        latest = BankStatement.objects.filter(wallet=owner).order_by("-last_day", "-created_at").first()
        goes_on = latest is not None and bool(latest.closing_minor) and latest.closing_minor == file.opening_minor
        text = f"The statement is of account {file.account}, earlier ones of this wallet of {own[0]}."
        text += " It opens with the balance that the last one closed with." if goes_on else ""
        yield Finding("other_account", text, blocks=not goes_on)
    others = named.order_by().filter(wallet__currency=owner.currency).exclude(wallet=owner)
    accounts = others.values_list("account", "wallet__name").distinct()
    name = next((name for account, name in accounts if is_same_account(account, file.account)), "")
    if name:
        yield Finding("account_of_other_wallet", f"Statements of account {file.account} were imported for {name}.")


def _wrong_lines(
    caller: Caller, owner: Wallet, file: StatementFile, lines: Sequence[StatementFileLine], own: Sequence[str]
) -> Iterable[Finding]:
    known, closed = known_fingerprints(owner, lines, own), closed_until(caller)
    for line, fingerprint in zip(lines, own, strict=True):
        if not file.first_day <= line.day <= file.last_day:
            yield Finding("outside", "Its day lies outside the days of the statement.", line.number, blocks=True)
        if fingerprint in known:
            yield Finding("known", "An earlier statement brought this line: it is left out.", line.number)
        elif closed and line.day <= closed:
            text = f"The books are closed up to {closed}: nothing is added before it."
            yield Finding("closed", text, line.number, blocks=True)


def _alike(owner: Wallet, lines: Sequence[StatementFileLine], own: Sequence[str]) -> Iterable[Finding]:
    """That lines which no statement brought are of the day and the amount of ones that are there: as the same line is, in
    another format or with other columns."""
    if not lines:
        return
    days = {line.day + apart for line in lines for apart in (-NEXT_DAY, timedelta(), NEXT_DAY)}
    there = StatementLine.objects.filter(wallet=owner, day__in=days)
    known: set[str] = set()
    in_this_file = set(own)
    others = Counter[tuple[date, int]]()
    for fingerprint, day, amount in there.values_list("fingerprint", "day", "amount_minor"):
        if fingerprint in in_this_file:
            known.add(fingerprint)
        else:
            others[day, amount] += 1
    fresh = [line for line, fingerprint in zip(lines, own, strict=True) if fingerprint not in known]
    count = (Counter((line.day, line.amount_minor) for line in fresh) & others).total()
    if count:
        text = (
            f"{count:,} of the {len(fresh):,} new lines are of the day and the amount of a line that is there already: a line "
            "is imported twice where its file has another format or other columns than before."
        )
        yield Finding("alike", text)


def _beside_others(owner: Wallet, file: StatementFile) -> Iterable[Finding]:
    others = BankStatement.objects.filter(wallet=owner).exclude(sha256=file.sha256)
    overlap = others.filter(first_day__lte=file.last_day, last_day__gte=file.first_day).order_by("first_day").first()
    if overlap:
        yield Finding("overlap", f"It overlaps with {overlap.file_name}, {overlap.first_day} to {overlap.last_day}.")
        return
    before = others.filter(last_day__lt=file.first_day).order_by("-last_day", "-created_at").first()
    if before is not None:
        text = f"The last statement ends on {before.last_day}, this one begins on {file.first_day}."
        other = f"It does not open with the balance that {before.file_name} closed with"
        yield from _between((before.last_day, before.closing_minor), (file.first_day, file.opening_minor), text, other)
    # One that was left out is often imported after the next: it has to end where that begins.
    after = others.filter(first_day__gt=file.last_day).order_by("first_day", "created_at").first()
    if after is not None:
        text = f"This statement ends on {file.last_day}, the next one begins on {after.first_day}."
        other = f"It does not close with the balance that {after.file_name} opens with"
        yield from _between((file.last_day, file.closing_minor), (after.first_day, after.opening_minor), text, other)


def _between(end: tuple[date, int | None], begin: tuple[date, int | None], text: str, other: str) -> Iterable[Finding]:
    if end[0] + NEXT_DAY < begin[0]:
        yield Finding("gap", text)
    if None not in {end[1], begin[1]} and end[1] != begin[1]:
        yield Finding("balance_gap", f"{other}: lines are missing between.")


def import_lines(
    caller: Caller, owner: Wallet, file: StatementFile, lines: Sequence[StatementFileLine]
) -> tuple[BankStatement, list[StatementLine], bool]:
    """The statement, its lines that no earlier one brought, and whether it is new. 422 for what `findings` blocks."""
    with transaction.atomic():
        lock_wallet(owner)
        known = imported_before(owner, file.sha256)
        if known is not None:
            return known, [], False
        wrong = [finding for finding in findings(caller, owner, file, lines) if finding.blocks]
        if wrong:
            raise errors.many_validation_failed(
                [
                    errors.FieldError(field=_place(finding), code=finding.code, message=finding.message)
                    for finding in wrong[:100]
                ]
            )
        own = wallet_fingerprints(owner, file, lines)
        brought = known_fingerprints(owner, lines, own)
        fresh = [pair for pair in zip(lines, own, strict=True) if pair[1] not in brought]
        statement = BankStatement.objects.create(
            business=caller.business,
            wallet=owner,
            file_name=file.file_name,
            sha256=file.sha256,
            source_format=file.source_format,
            account=file.account,
            first_day=file.first_day,
            last_day=file.last_day,
            opening_minor=file.opening_minor,
            closing_minor=file.closing_minor,
            line_count=len(fresh),
            skipped_count=len(lines) - len(fresh),
            imported_by=caller.label,
        )
        rows = [_row(statement, line, fingerprint) for line, fingerprint in fresh]
        StatementLine.objects.bulk_create(rows, batch_size=1000)
        repeated = StatementLine.objects.filter(wallet=owner, fingerprint__in=brought).values_list("id", flat=True)
        repeats = [RepeatedLine(statement=statement, line_id=line_id) for line_id in repeated]
        RepeatedLine.objects.bulk_create(repeats, batch_size=1000)
        after = {"lines": len(rows), "skipped": statement.skipped_count, "sha256": file.sha256}
        record_audit(caller, "bank_statement.import", "bank_statement", statement.id, after=after)
    return statement, rows, True


def _place(finding: Finding) -> str:
    return f"lines.{finding.number}" if finding.number else "statement"


def _row(statement: BankStatement, file_line: StatementFileLine, fingerprint: str) -> StatementLine:
    return StatementLine(
        id=object_id(),
        business_id=statement.business_id,
        statement=statement,
        wallet_id=statement.wallet_id,
        number=file_line.number,
        day=file_line.day,
        amount_minor=file_line.amount_minor,
        description=file_line.description,
        reference=file_line.reference,
        fingerprint=fingerprint,
    )
