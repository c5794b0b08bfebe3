"""Which tables have a lease: those of the jobs that may be killed, each by the one base, and no others."""

from __future__ import annotations

from django.apps import apps
from django.db.models import Model

from dashboard.worker_lease import Leased


def test_all_nine_jobs_stand_on_it() -> None:
    """Whoever writes another: a heartbeat or a lease of a table's own is a lease of its own, and there are two."""
    leased = {model.__name__ for model in apps.get_models() if issubclass(model, Leased)}
    assert leased == {
        "Batch", "EvidencePack", "Export", "Import", "JournalExport", "Offboarding", "Replay", "RuleFiling",
        "TopUp",
    }  # fmt: skip
    with_own = {
        model.__name__
        for model in apps.get_models()
        if any(field.name.startswith(("heartbeat", "lease")) for field in model._meta.local_fields)
    }
    # What ends at a time (dashboard/worker_lease.py says why).
    assert with_own - leased == {"Decision", "Proposal"}
    assert {model.__name__ for model in apps.get_models() if has_field(model, "lease_until")} == {
        "Decision",
        "Proposal",
    }


def has_field(model: type[Model], name: str) -> bool:
    return any(field.name == name for field in model._meta.local_fields)


def test_the_column_of_a_lease_is_called_as_its_field() -> None:
    for model in apps.get_models():
        if issubclass(model, Leased):
            assert model._meta.get_field("lease_id").column == "lease_id", model
