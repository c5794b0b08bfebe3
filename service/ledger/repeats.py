"""What a request posted before under the same Idempotency-Key, where nothing but the posting bears its name."""

from service.caller import Caller
from service.effects import earlier
from service.ledger.models import LedgerTransaction


def posted_before(caller: Caller, what: str) -> LedgerTransaction | None:
    """What a request under the same key posted before under a `reference` of that kind; refusals as `earlier`."""
    rows = LedgerTransaction.objects.filter(business_id=caller.business.id)
    return earlier(caller, rows, field="external_ref", before=f"{what}:")
