"""A pack as a PDF: its subject, decisions, rules, the lines of the audit with their links, and the script that verifies it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.schemas.base import JsonObject
from dashboard.text_pdf import REPLACED, WIDTH, printable, text_pdf
from dashboard.times import local

ROLES = dict(Role.choices)
# A longer log is in the ZIP file whole: a PDF of ten thousand lines is read by nobody.
MOST_PRINTED = 2_000
LACKS = "Characters that this file's font lacks are printed as ?: the files beside it have them."


@dataclass(frozen=True)
class Report:
    """What is printed: rows as tuples in the order of the headings that `_lines` prints above them; of `line_count` lines of the audit
    the first."""

    business: Business
    title: str
    author: str
    at: datetime
    notes: Sequence[str]
    items: Sequence[tuple[str, str, str, Sequence[str]]]
    decisions: Sequence[tuple[str, str, str, str, str, str, str, Sequence[str]]]
    rules: Sequence[tuple[datetime, str, Sequence[tuple[str, str, int | None, str]]]]
    documents: Sequence[tuple[str, str, str]]
    lines: Sequence[tuple[int, JsonObject, str]]
    line_count: int
    chain: str
    fingerprint: str
    script: str


def report_pdf(report: Report) -> bytes:
    """The report of a pack as a PDF, in bytes."""
    lines = [printable(line) for line in _lines(report)]
    if any(REPLACED in line for line in lines):
        lines.insert(2, LACKS)
    return text_pdf(lines, report.title)


def _lines(report: Report) -> Iterator[str]:
    yield from _wrapped(f"{report.title}, {report.business.name}")
    yield f"Created by {report.author}, {_at(report.business, report.at)}"
    yield ""
    for note in report.notes:
        yield from _wrapped(note)
    yield from _items(report)
    yield from _decisions(report)
    yield from _rules(report)
    yield from _log(report)
    yield from _verification(report)


def _items(report: Report) -> Iterator[str]:
    for kind, title, state, references in report.items[:MOST_PRINTED]:
        yield ""
        yield from _wrapped(f"{kind.replace('_', ' ').capitalize()}: {title} ({state})")
        for reference in references[:MOST_PRINTED]:
            yield from _wrapped(f"  Reference, {reference}")
        yield from _cut(len(references))
    yield from _cut(len(report.items))
    if report.documents:
        yield ""
        yield "Documents, with their SHA-256"
    for name, digest, why in report.documents:
        yield from _wrapped(f"  {name}")
        yield f"    {digest or 'not read'}"
        if why:
            yield from _wrapped(f"    Not in this pack. {why}")


def _decisions(report: Report) -> Iterator[str]:
    yield ""
    yield f"Decisions made through this dashboard: {len(report.decisions):,}"
    for at, by, role, operation, title, reason, state, references in report.decisions[:MOST_PRINTED]:
        named = ROLES.get(role, role).lower() or "role not recorded"
        when = _at(report.business, datetime.fromisoformat(at))
        yield from _wrapped(f"  {when}  {by} ({named}): {operation.replace('_', ' ')}, {title}: {state.lower()}")
        if reason:
            yield from _wrapped(f"    Reason: {reason}")
        if references:
            yield from _wrapped(f"    References: {', '.join(references)}")
    yield from _cut(len(report.decisions))


def _rules(report: Report) -> Iterator[str]:
    for place, (at, event, rules) in enumerate(report.rules):
        yield ""
        when = f"{_at(report.business, at)} ({event})"
        yield from _wrapped(f"Policies and workflows in force at {when}, as far as they are kept")
        if place and rules and rules == report.rules[place - 1][2]:
            yield "  The same as at the moment before."
            continue
        for kind, name, version, source in rules:
            number = f", version {version}" if version is not None else ""
            yield from _wrapped(f"  {kind.capitalize()} {name}{number}. {source}")
        if not rules:
            yield "  None is known."


def _log(report: Report) -> Iterator[str]:
    yield ""
    yield f"Lines of the audit log: {report.line_count:,}"
    for number, line, digest in report.lines[:MOST_PRINTED]:
        when = _at(report.business, datetime.fromisoformat(str(line["at"])))
        role = ROLES.get(str(line["role"]), str(line["role"])).lower()
        who = f"{line['actor_name']}{f' ({role})' if role else ''}"
        yield from _wrapped(f"  {when}  {who} {line['sentence']}: {str(line['outcome']).lower()}")
        if line["reason"]:
            yield from _wrapped(f"    Reason: {line['reason']}")
        yield f"    Line {line['id']}, link {number}: {digest}"
    yield from _cut(report.line_count)


def _cut(count: int) -> Iterator[str]:
    if count > MOST_PRINTED:
        yield f"  The first {MOST_PRINTED:,} are printed; the ZIP file has all {count:,}."


def _verification(report: Report) -> Iterator[str]:
    yield ""
    yield from _wrapped(f"The chain when this pack was made: {report.chain}.")
    yield "Fingerprint of the key that signed the manifest (SHA-256): compare it with what the business gives you."
    yield f"  {report.fingerprint}"
    yield ""
    yield "To verify the pack, save what follows as verify.py and run: python3 -I verify.py PACK.zip --key FINGERPRINT"
    yield "It needs Python 3.8 or later and nothing else. The same is in the ZIP file."
    yield "-" * WIDTH
    for line in report.script.splitlines():
        yield line[:WIDTH]
    yield "-" * WIDTH


def _at(business: Business, moment: datetime) -> str:
    at = local(moment, business)
    return f"{at.day} {at:%b %Y, %H:%M:%S %Z}"


def _wrapped(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, WIDTH, subsequent_indent=f"{indent}  ") or [""]
