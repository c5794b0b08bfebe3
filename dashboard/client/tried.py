"""The key of a form after a refusal: the service keeps a refusal under its key, so what is put right goes under the next."""

from dashboard.access.actor import Actor
from dashboard.client import shared
from dashboard.client.errors import FinanceError, Unknown

LASTS_S = 24 * 3600
# What a repeat may see otherwise is not kept by the service.
NOT_KEPT = frozenset({401, 403, 429})
# Something else was done under the key, perhaps with success: that this is another request stays refused.
REUSED = "idempotency_key_reused"


def key_for(actor: Actor, key: str) -> str:
    """The key to send: the form's own, or after refusals the first that none was sent under.

    Told of each key by itself and never counted: a refusal that comes late, of a click that was two, changes nothing for
    what is under way by then.
    """
    sent, turn = key, 0
    while shared.recall(_name(actor, sent)):
        turn += 1
        sent = f"{key}.{turn}"
    return sent


def note(actor: Actor, sent: str, error: FinanceError) -> None:
    """Remembers a refusal of what was sent under that key. Never what may have been done: that is asked for again."""
    status, doubt = error.upstream_status or 0, error.after_doubt or isinstance(error, Unknown)
    if 400 <= status < 500 and status not in NOT_KEPT and error.code != REUSED and not doubt:
        shared.keep(_name(actor, sent), True, LASTS_S)


def _name(actor: Actor, key: str) -> str:
    return f"refused:{actor.business.pk}:{key}"
