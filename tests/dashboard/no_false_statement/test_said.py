"""What the proof of no false statement takes for a denial is compared with what the dashboard says: nothing that denies an
act passes it by."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from dashboard import errors
from dashboard.errors import FinanceError
from tests.dashboard.no_false_statement.said import AFFIRMS, DENIES
from tests.house.sources import nodes_of, python_files, tree_of

NEGATION = re.compile(r"\bnothing\b|\b(?:was|were) not\b|\bnot sent\b|\bhas not been\b", re.IGNORECASE)
# Sentences that are no denial of an act, by why; "…" stands for what is filled in.
NO_DENIAL = {
    "Of what the form says now, which is another change than the one that was sent under its key.": {
        "What it says now was not done.",
    },
    "Of what is there to see or to do, not of an act.": {
        "Nothing that is known: no role, wallet policy, mandate or fund account lets them move money.",
        "What a role gives on wallets has not been read from the finance service.",
        "There is nothing here, or you don't have access to it.",
        "There is nothing at this address, or you don't have access to it.",
        "Nothing is known of this: there is no line of the audit log about it.",
        "It was not in force then, by the finance service's audit.",
        "nothing recognised",
        "nothing to undo",
        "… bills are due …, and nothing of them is being paid.",
        "Bill … of … is due …: … is open, and nothing of it is being paid.",
        "a bill is due soon or today, and nothing of it is being paid",
        "Not signed yet: there is nothing to check.",
        "The plan says nothing of this.",
        "Nothing could be read from it.",
        "Nothing of this credit note is left for the bill.",
        "Nothing exported",
        "Nothing allocated",
        "Nothing to do",
        "Not seen in 90 days, of those who decide on nothing",
        "Nothing is left that you can do.",
        "Nothing that is shown here.",
        "Nothing of what you chose is proposed any more.",
        "Select what was paid over: nothing of what you chose is owed.",
        "The policy is …: there is nothing to ….",
        "“…” matches nothing new: its subcategory is archived.",
        "This token opens nothing.",
        "There is nothing of this name.",
        "The card was not activated yet.",
        "Not sent yet",
        "not sent",
    },
    "Of a comparison or a check, which changes nothing.": {
        "The audit log was not compared with every external anchor: ….",
        "The ledger could not be read, so the sheet was not compared with it.",
        "Tried on the last 90 days. Nothing was categorised.",
        "The e-invoice inside this file brings a document type or entities with it, so it was not read.",
        "The e-invoice inside this file is damaged, so it was not read.",
        "The e-invoice inside this file is too large, so it was not read.",
    },
    "How a form or a rule works.": {
        "The amount is nothing.",
        "Enter the secret again: it is not sent to a new address.",
        "Without a delegate there is nothing to cap: leave it empty.",
        "It needs Python 3.8 or later and nothing else. The same is in the ZIP file.",
        "Nothing is approved without ….",
        "Archived: nothing more is categorised under it",
        "Enter a limit: without one nothing is counted.",
        "Empty: from nothing.",
        "If nothing is charged on a card, or the card must stay in use.",
        "Paid to a vendor in a month, below which nothing is deducted. Empty: none.",
        "Final tax: the vendor owes nothing more on this income",
        "The amounts leave nothing for the part without one.",
        "Nothing else moves.",
        "Payment … is a draft. Nothing is paid before it is approved. Where no policy asks for approval, it is paid immediately, or on its day.",
        "As these settings are, nothing is signed with our key, and no assertion may be encrypted to it.",
        "An inactive workflow decides nothing: choose new items only.",
        "An inactive policy judges nothing: choose new items only.",
        "Enter it again; if it was not you, block the card now.",
    },
    "Of what the act that was done leaves as it is: the act itself is said to be done.": {
        "Revoking ends the access to this dashboard. It changes nothing at the finance service: a role, wallet policies, "
        "mandates and fund accounts there stand until somebody is offboarded under People.",
        "The revocation ended the access to this dashboard alone: what is listed of the finance service was not ended by it.",
        "What they may do at the finance service has not been changed: offboard them under People.",
        "Our renewed key, of the certificate … (SHA-256), is used; the previous one, of …, is removed and decrypts nothing any more.",
        "Payment … was saved as a draft. Nothing is paid yet.",
        "{ref} was withdrawn. Nothing was paid.",
        "… is a new draft. Nothing is paid yet.",
        "Nothing is paid yet.",
        "… was added. What follows was not done: …",
        "They were not invited to this dashboard: …",
        "It was over already: nothing was given to ….",
        "finished offboarding …: nothing is left of … steps",
        "to be decided on again, because the revocation was not applied",
    },
    "Of work in the background that ended, whose rows are told one by one.": {
        "It was not finished within two hours.",
    },
    "It leaves open whether it was done.": {
        "It arrived…, and was not answered. … …",
        "It was sent, and no answer came within a day: whether it was made is not known, and it is not sent again. Look at "
        "how it stands before you propose it anew.",
        "it was sent together with others, and is not sent again alone. Decide again.",
    },
    "Of a file that this browser has not sent: there was no act.": {
        "Not sent, because the one before it was not answered. Send it again.",
    },
    "A line of the log.": {
        "digest not sent",
        "mail not sent",
        "invitation not sent",
        "an arrival was not closed",
    },
}  # fmt: skip
EXEMPT = {text for texts in NO_DENIAL.values() for text in texts}


def documentation(tree: ast.Module) -> Iterator[int]:
    """The docstrings of a module, by their identity."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield id(first.value)


def texts_of(tree: ast.Module) -> Iterator[str]:
    """Every text of a module but its docstrings, an f-string as one with "…" for what is filled in."""
    skipped = set(documentation(tree))
    for node in nodes_of(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in ast.walk(node) if part is not node}
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    for node in nodes_of(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


@cache
def negations() -> frozenset[str]:
    """What the dashboard's code says with "nothing", "was not" or "not sent" in it."""
    return frozenset(
        text
        for file in python_files("dashboard")
        for text in texts_of(tree_of(file))
        if " " in text and NEGATION.search(text)
    )


def test_each_negation_is_taken_for_a_denial_or_says_why_it_is_none() -> None:
    assert len(negations()) > 100
    assert {text for text in negations() if not DENIES.search(text)} - EXEMPT == set()


def test_no_reason_is_left_of_what_is_gone_or_a_denial() -> None:
    assert {text for text in negations() if not DENIES.search(text)} >= EXEMPT


def errors_below(kind: type[FinanceError]) -> Iterator[type[FinanceError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from errors_below(each)


@pytest.mark.parametrize("is_second_step", [False, True])
@pytest.mark.parametrize("kind", dict.fromkeys(errors_below(FinanceError)), ids=lambda kind: kind.__name__)
def test_what_an_error_says_of_its_act_is_heard(
    kind: type[FinanceError], is_second_step: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors.finance_error, "has_confirmed_write", lambda: is_second_step)
    for error in errors_of(kind):
        says = error.consequence
        assert bool(AFFIRMS.search(says)) is (error.changed is True), says
        if says not in EXEMPT:
            assert bool(DENIES.search(says)) is (error.changed is False and says != ""), says


def errors_of(kind: type[FinanceError]) -> Iterator[Any]:
    """The error itself, and that of a read beside a form, of which nothing is said."""
    yield kind()
    beside = kind()
    beside.is_read_error = True
    yield beside
