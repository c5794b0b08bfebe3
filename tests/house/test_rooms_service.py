"""Each area of service/ holds files of the same names, and beside them only the nouns of its field that are declared here.

A public name has one meaning in its area, so that a search for it ends at one definition.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.house.sources import ROOT, nodes_of, tree_of
from tests.house.test_rules import BANNED_NAMES

SERVICE = ROOT / "service"

# What a file of that name holds, in every area that has one.
STANDARD = {
    "apps": "the Django app, and what it registers with the hooks of areas below",
    "hooks": "what areas above register with this one",
    "models": "tables; in parts: a folder of nouns",
    "policies": "what the spend policies of the business say to what this area does",
    "receivers": "what this area registers with the hooks of areas below",
    "schemas": "requests and answers as they are published; in parts: schemas_…",
    "selectors": "what is read, within what the caller may see",
    "serializers": "rows as dictionaries in the shapes of the schemas; in parts: serializers_…, the old interface's: serializers_v1",
    "services": "what is changed, a function per operation",
    "tasks": "jobs of the workers",
    "transitions": "which move leads from which state to which",
    "v1": "the router of the old interface",
    "v2": "the router of the interface; in parts: v2_…",
}
# The folders of an area: tables in parts, and what Django keeps in folders.
FOLDERS = {"management", "migrations", "models"}
PARTS = re.compile(r"schemas_\w+|v2_\w+|serializers_\w+")

# The further nouns of an area. One that stands in several areas is the same in each.
SHARED = {
    "access": "who may do what with one of its things, by a seat or a policy",
    "approvals": "votes: how they are asked for, and what follows from them",
    "attachments": "files that are put on something and taken off it",
    "audit": "the trail of who did what",
    "catalogue": "what there is to choose from, the same for every business",
    "changes": "how a change is written down: row, event and audit line",
    "contacts": "the people to speak to",
    "discounts": "what is saved by paying early",
    "duplicates": "what looks as if it were there a second time",
    "execution": "the walk of an approved payment to its rail, repeatable at any step",
    "legs": "what the ledger posts for one of its things",
    "lifecycle": "the moves of a person or card between states, and what each brings about",
    "mandates": "how many must approve, and who may",
    "queue": "an approved payment handed to the worker, once its transaction is committed",
    "settlement": "what a rail or fund manager answered, booked once",
    "subjects": "what a request or an entry is about",
}
NOUNS: dict[str, str] = {
    "accounting": "account_ledgers account_numbers bank_rules books day_sums entry_categories entry_codes export_contents export_corrections held_lines journal_exports late_transactions matches pairings period_wallets periods postings proofs reconciliation statement_file "
    "statement_imports statement_removals suggestion_windows suggestions",
    "accounts": "balance_events cashflow employee_wallets wallets",
    "approvals": "mandates open_requests quorum risk_scores steps subjects workflows",
    "bill_schedules": "dates",
    "bills": "amounts approvals attachments cancellation discounts duplicates execution files payments queue retries settlement splits",
    "budgets": "alerts figures",
    "business_policies": "approvals enforcement evaluation expense_rules groups pending_expenses pending_requests targets usage workflow_changes",
    "businesses": "revocation secrets",
    "cards": "authorizations captures clearing controls decisions declines funding issuance lifecycle lineage orders risk "
    "single_use spend",
    "categories": "bulk moves uses",
    "customers": "search search_terms",
    "employees": "funds lifecycle",
    "events": "audit kinds outbox relay",
    "expenses": "export_archive exports legs new_expense posting receipts reports tags",
    "fx": "pricing quotes rates transfers",
    "investments": "access accrual catalogue changes movements opt_ins portfolio settlement units",
    "journal": "sums",
    "ledger": "balances chart invariants post repeats retry seals statements",
    "payments": "drafts duplicates execution intents legs payees payout_ledger progress pushes queue",
    "permissions": "catalogue mandates rights",
    "risk": "signals signals_lines signals_payables signals_policies",
    "statements": "subjects",
    "subscriptions": "charges frequency patterns proposals",
    "taxes": "defaults remittances withholding",
    "teams": "reviewers",
    "transactions": "attachments backfill manual_entries movement parts",
    "vendors": "activity attachments changes contacts destinations duplicates instructions merges recent_payees",
    "wallet_policies": "access audit catalogue effective_permissions limits",
    "webhooks": "addresses delivery fan_out signatures",
}
# No areas of the interface: the other side of the rails, the published documents, and what fills a sandbox.
NO_AREAS = {"openapi", "publishing", "rails", "sandbox"}
# Nouns of finance that end as a gerund does.
NOT_GERUNDS = {"accounting", "clearing", "funding", "posting", "pricing", "withholding"}
# Whoever manages a fund, not a class that manages.
FUND_MANAGER = "fund_manager"
# Modules in which a name of the service's own may stand once more: an operation as it is published, a job as it is called.
ENTRANCES = re.compile(r"v[12](_\w+)?|tasks")


def areas(service: Path) -> list[Path]:
    """The packages of service/ that are areas of the interface."""
    return sorted(each.parent for each in service.glob("*/__init__.py") if each.parent.name not in NO_AREAS)


def modules(area: Path) -> list[Path]:
    """The modules of an area, migrations and commands not among them."""
    return sorted(each for each in area.glob("*.py") if each.stem != "__init__")


def is_banned(name: str) -> bool:
    """Whether a module's name says what is done there, not what it holds, or nothing at all."""
    last = name.rsplit("_", 1)[-1]
    is_gerund = last.endswith("ing") and last not in NOT_GERUNDS
    return is_gerund or name.startswith("on_") or (bool(BANNED_NAMES & set(name.split("_"))) and name != FUND_MANAGER)


def wrong_names(service: Path, nouns: dict[str, str]) -> set[str]:
    """The modules whose name is banned, or neither a standard one nor a declared noun of their area."""
    found = set()
    for area in areas(service):
        own = set(nouns.get(area.name, "").split())
        for file in modules(area):
            known = file.stem in STANDARD or PARTS.fullmatch(file.stem) or file.stem in own
            if not known or is_banned(file.stem):
                found.add(f"{area.name}/{file.name}")
        folders = {folder.parent for folder in area.glob("*/*.py")}
        found |= {f"{area.name}/{folder.name}/" for folder in folders if folder.name not in FOLDERS}
        found |= {f"{area.name}/models/{part.name}" for part in area.glob("models/*.py") if is_banned(part.stem)}
    return found


def public_names(file: Path) -> set[str]:
    """The functions and classes that a module defines for others."""
    tree = tree_of(file)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {each.name for each in tree.body if isinstance(each, kinds) and not each.name.startswith("_")}


def ambiguous_names(service: Path) -> set[str]:
    """Public names that two modules of an area define, routers and jobs not among them."""
    found = set()
    for area in areas(service):
        where = defaultdict(list)
        for file in modules(area):
            for name in public_names(file) if not ENTRANCES.fullmatch(file.stem) else ():
                where[name].append(file.stem)
        found |= {f"{area.name}: {name} in {' and '.join(files)}" for name, files in where.items() if len(files) > 1}
    return found


def names_taken_out(service: Path) -> set[str]:
    """Entrances that import a function by its name where they define that name themselves, or another module of the area
    does: such a one is reached through its module."""
    found = set()
    for area in areas(service):
        for file in modules(area):
            if not ENTRANCES.fullmatch(file.stem):
                continue
            own = public_names(file)
            for node in nodes_of(tree_of(file)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"service.{area.name}."):
                    found |= {f"{area.name}/{file.name}: {each.name}" for each in node.names if each.name in own}
    return found


def test_every_area_holds_the_standard_files_and_its_declared_nouns() -> None:
    assert wrong_names(SERVICE, NOUNS) == set()


def test_no_module_of_the_service_has_a_banned_name() -> None:
    named = {file for file in SERVICE.rglob("*.py") if not {"migrations", "commands"} & set(file.parts)}
    assert len(named) > 250
    assert {str(file.relative_to(SERVICE)) for file in named if is_banned(file.stem)} == set()


def test_nothing_is_declared_that_is_not_there() -> None:
    there = {area.name: {file.stem for file in modules(area)} for area in areas(SERVICE)}
    assert len(there) > 25
    assert {
        f"{area}/{noun}" for area, nouns in NOUNS.items() for noun in nouns.split() if noun not in there[area]
    } == set()
    assert set(STANDARD) <= set().union(*there.values())


def test_a_noun_of_several_areas_is_said_what_it_means() -> None:
    several = defaultdict(set)
    for area, nouns in NOUNS.items():
        for noun in nouns.split():
            several[noun].add(area)
    assert {noun for noun, found in several.items() if len(found) > 1} <= set(SHARED)
    assert set(SHARED) <= set(several)
    assert not set(STANDARD) & set(several)


def test_a_public_name_has_one_meaning_in_its_area() -> None:
    assert ambiguous_names(SERVICE) == set()
    assert names_taken_out(SERVICE) == set()


@pytest.mark.parametrize(
    ("name", "banned"),
    [
        ("settling", True),
        ("on_people", True),
        ("bill_utils", True),
        ("helpers", True),
        ("manager", True),
        ("state_words", True),
        ("card_blocking", True),
        ("settlement", False),
        ("clearing", False),
        ("posting", False),
        ("fan_out", False),
    ],
)
def test_a_banned_name_is_known(name: str, banned: bool) -> None:
    assert is_banned(name) is banned


def test_a_room_unlike_the_others_would_be_found(tmp_path: Path) -> None:
    files = {
        "bills/__init__.py": "",
        "bills/models.py": "",
        "bills/schemas_lines.py": "",
        "bills/amounts.py": "def total(): ...\ndef _add(): ...\n",
        "bills/services.py": "class Bill: ...\ndef total(): ...\ndef _add(): ...\ndef approve_bill(): ...\n",
        "bills/v2.py": "from service.bills.services import approve_bill\n\ndef approve_bill(): ...\n",
        "bills/paying.py": "",
        "bills/on_vendors.py": "",
        "bills/extras.py": "",
        "bills/rails/sending.py": "",
        "credit_notes/__init__.py": "",
        "credit_notes/models/__init__.py": "",
        "credit_notes/models/notes.py": "",
        "credit_notes/models/crediting.py": "",
        "sandbox/__init__.py": "",
        "sandbox/anything.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert wrong_names(tmp_path, {"bills": "amounts paying"}) == {
        "bills/paying.py",
        "bills/on_vendors.py",
        "bills/extras.py",
        "bills/rails/",
        "credit_notes/models/crediting.py",
    }
    assert ambiguous_names(tmp_path) == {"bills: total in amounts and services"}
    assert names_taken_out(tmp_path) == {"bills/v2.py: approve_bill"}
