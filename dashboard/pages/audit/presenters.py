"""Evidence packs as pages: their list, a new one of an item, and one with its files and how it is verified."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import TypedDict

from django.core.paginator import Page, Paginator
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.evidence.contents import script_text
from dashboard.evidence.models import EvidencePack, PackState, Scope
from dashboard.evidence.selectors import visible_packs
from dashboard.mirror.item_kinds import ITEM_KINDS, item_path
from dashboard.pages.audit.forms import PackPeriodForm
from dashboard.signing.signature import key_fingerprint, signing_key_of
from dashboard.times import day_and_time, local

PAGE_ROWS = 50
# The days of a person's pack before others are chosen: a quarter, with today.
RECENT_DAYS = 90
TONES = {
    PackState.QUEUED: "info",
    PackState.RUNNING: "info",
    PackState.DONE: "ok",
    PackState.FAILED: "bad",
    PackState.EXPIRED: "",
}


@dataclass(frozen=True, slots=True)
class PackRow:
    """An evidence pack in the list of them: `scope` and `created` in words, `state` its word and tone."""

    id: str
    title: str
    scope: str
    state: tuple[str, str]
    by: str
    created: str


class PackDays(TypedDict):
    """The days that a form for a pack begins with."""

    first: date
    last: date


class PacksContext(TypedDict):
    """What audit/packs.html reads."""

    rows: list[PackRow]
    pages: Page[EvidencePack]
    only: str
    form: PackPeriodForm


class NewPackContext(TypedDict):
    """What audit/new_pack.html reads; `address` leads to the item, "" where it has no page."""

    title: str
    kind: str
    remote_id: str
    address: str


@dataclass(frozen=True, slots=True)
class PackFile:
    """A file of a pack, as its manifest lists it."""

    name: str
    size: int
    sha256: str


class PackContext(TypedDict):
    """What audit/pack.html reads; `files`, `notes`, `finding` and `manifest_sha256` are empty until it is made."""

    pack: EvidencePack
    state: tuple[str, str]
    created: str
    files: list[PackFile]
    notes: list[str]
    finding: str
    manifest_sha256: str
    fingerprint: str
    script: str
    command: str


def packs_context(actor: Actor, form: PackPeriodForm, number: str | None) -> PacksContext:
    """A page of the packs, and the form for one of a period."""
    pages = Paginator(visible_packs(actor), PAGE_ROWS).get_page(number)
    return {"rows": [_row(actor, row) for row in pages], "pages": pages, "only": "", "form": form}


def _row(actor: Actor, row: EvidencePack) -> PackRow:
    return PackRow(
        str(row.pk), row.title, Scope(row.scope).label, state_of(row), str(row.membership.user),
        day_and_time(row.created_at, actor.business),
    )  # fmt: skip


def state_of(pack: EvidencePack) -> tuple[str, str]:
    """The state of a pack in a word, and its tone."""
    state = PackState(pack.state)
    return str(state.label), TONES[state]


def recent_days(actor: Actor) -> PackDays:
    """The last 90 days, today among them, on the clock of the business."""
    today = local(timezone.now(), actor.business).date()
    return {"first": today - timedelta(days=RECENT_DAYS - 1), "last": today}


def new_pack_context(actor: Actor, title: str, kind: str, remote_id: str) -> NewPackContext:
    """A pack of an item before it is asked for."""
    address = item_path(actor.business.slug, kind, remote_id) if kind in ITEM_KINDS else ""
    return {"title": title, "kind": kind, "remote_id": remote_id, "address": address}


def pack_context(actor: Actor, pack: EvidencePack) -> PackContext:
    """One pack with its files, and the script that verifies it."""
    manifest = json.loads(pack.manifest) if pack.manifest else {}
    fingerprint = key_fingerprint(signing_key_of(actor.business).public_key)
    by, at = pack.membership.user, day_and_time(pack.created_at, actor.business)
    return {
        "pack": pack,
        "state": state_of(pack),
        "created": f"{by}, {at}",
        "files": [PackFile(row["name"], row["bytes"], row["sha256"]) for row in manifest.get("files", ())],
        "notes": manifest.get("notes", []),
        "finding": manifest.get("chain", {}).get("finding", ""),
        "manifest_sha256": sha256(pack.manifest.encode()).hexdigest() if pack.manifest else "",
        "fingerprint": manifest.get("key_sha256", fingerprint),
        "script": script_text(),
        "command": f"python3 -I verify.py evidence-{actor.business.slug}-{pack.pk.hex[:8]}.zip",
    }
