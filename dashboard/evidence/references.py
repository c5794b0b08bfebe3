"""The references of payments that decisions were about, as the copy has them: of a person's or a period's many decisions none is read
anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from dashboard.access.models import Business
from dashboard.decisions.described_requests import described_request, load_described
from dashboard.decisions.models import Decision
from dashboard.evidence.item_evidence import references_in
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import Approval

CHUNK = 1_000


def references_of(payload: object) -> list[str]:
    """Each reference in what the service sent as "name: reference", sorted, each once."""
    return sorted({f"{name}: {reference}" for name, reference in references_in(payload)})


def decision_references(business: Business, decisions: Iterable[Decision]) -> Mapping[tuple[str, str], list[str]]:
    """The references of what was decided on, by kind and id: of a vote those of the payment that it was on, too; nothing for what
    the copy does not have."""
    ids: dict[str, set[str]] = defaultdict(set)
    for decision in decisions:
        if decision.object_type in MAPPERS:
            ids[decision.object_type].add(decision.object_id)
    references: dict[tuple[str, str], list[str]] = {}
    for kind, remote_ids in ids.items():
        listed = sorted(remote_ids)
        for place in range(0, len(listed), CHUNK):
            references |= _of_kind(business, kind, listed[place : place + CHUNK])
    return references


def _of_kind(business: Business, kind: str, remote_ids: list[str]) -> dict[tuple[str, str], list[str]]:
    rows = list(MAPPERS[kind].model._default_manager.filter(business=business, remote_id__in=remote_ids))
    approvals = [row for row in rows if isinstance(row, Approval)]
    load_described(approvals)
    payloads: dict[str, list[object]] = {row.remote_id: [row.payload] for row in rows}
    for approval in approvals:
        if (described := described_request(approval)) is not None:
            payloads[approval.remote_id].append(described.payload)
    return {(kind, remote_id): references_of(known) for remote_id, known in payloads.items()}
