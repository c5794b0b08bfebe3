"""The jobs of both programs and when they run, in one readable list. One worker per queue."""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, worker_before_create_process, worker_process_init

import telemetry.jobs  # noqa: F401  # its signals give the lines and spans of jobs their ids
from config import scheduler
from config.embedded import die_with_parent
from telemetry import tracing

PROGRAM = "service" if os.environ.get("DJANGO_SETTINGS_MODULE", "").endswith(".service") else "dashboard"

app = Celery(PROGRAM)
tracing.name_process(f"countersign-{PROGRAM}")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# For every thread: a request's thread would otherwise ask a broker that nobody configured.
app.set_default()

SECOND = 1.0
MINUTE = 60.0
HOUR = 60 * MINUTE


def every(seconds: float, task: str, when: str = "") -> dict[str, Any]:
    """A task that runs each so many seconds; one that could not start by the next turn is dropped, not piled up.

    `when` is the dotted path of the function that says whether it has anything to do: asked before a worker is.
    """
    if when:
        scheduler.questions[task] = when
    return {"task": task, "schedule": seconds, "options": {"expires": max(seconds, 5.0)}}


SCHEDULES: dict[str, dict[str, dict[str, Any]]] = {
    "dashboard": {
        "feed": every(5 * SECOND, "dashboard.mirror.follow_feeds", when="dashboard.mirror.schedule.has_feed_due"),
        "inbox": every(5 * SECOND, "dashboard.mirror.apply_inbox", when="dashboard.mirror.webhook_inbox.has_received"),
        "bands": every(15 * SECOND, "dashboard.mirror.poll_bands", when="dashboard.mirror.schedule.has_band_due"),
        "forget old deliveries": every(HOUR, "dashboard.mirror.forget_old"),
        "send decisions": every(SECOND, "dashboard.decisions.send_due", when="dashboard.decisions.selectors.has_due"),
        "old unknown decisions": every(30 * SECOND, "dashboard.decisions.raise_alerts"),
        "draw samples": every(MINUTE, "dashboard.decisions.draw_samples"),
        "draw weekly samples": every(HOUR, "dashboard.decisions.draw_weekly_samples"),
        "reckon what is usual": every(MINUTE, "dashboard.decisions.reckon_usual"),
        "read receipts": every(30 * SECOND, "dashboard.documents.read_waiting"),
        "read the mailbox": every(
            5 * SECOND, "dashboard.inbound_mail.read_mailbox", when="dashboard.inbound_mail.services.has_mail"
        ),
        "read attachments": every(
            30 * SECOND, "dashboard.inbound_mail.read_waiting", when="dashboard.inbound_mail.services.has_unread"
        ),
        "file by rules": every(
            MINUTE, "dashboard.categorisation.file_due", when="dashboard.categorisation.filing.has_rules"
        ),
        "forget old statement files": every(HOUR, "dashboard.bank_statements.forget_old"),
        "forget old messages": every(HOUR, "dashboard.inbound_mail.forget_old"),
        "ask for receipts again": every(HOUR, "dashboard.documents.ask_again"),
        "forget old looks": every(HOUR, "dashboard.documents.forget_old"),
        "lost bulk actions": every(
            30 * SECOND, "dashboard.bulk.requeue_lost", when="dashboard.bulk.worker.has_unfinished"
        ),
        "old bulk actions": every(HOUR, "dashboard.bulk.forget_old"),
        "lost journal exports": every(
            30 * SECOND, "dashboard.journal_files.requeue_lost", when="dashboard.journal_files.worker.has_unfinished"
        ),
        "lost exports": every(30 * SECOND, "dashboard.lists.requeue_lost", when="dashboard.lists.tasks.has_unfinished"),
        "old exports": every(HOUR, "dashboard.lists.forget_old"),
        "lost replays": every(
            30 * SECOND, "dashboard.policies.requeue_lost", when="dashboard.policies.replays.has_unfinished"
        ),
        "old replays": every(HOUR, "dashboard.policies.forget_old"),
        "carry out offboardings": every(
            30 * SECOND, "dashboard.offboarding.carry_out_due", when="dashboard.offboarding.worker.has_due"
        ),
        "lost evidence packs": every(
            30 * SECOND, "dashboard.evidence.requeue_lost", when="dashboard.evidence.worker.has_unfinished"
        ),
        "old evidence packs": every(HOUR, "dashboard.evidence.forget_old"),
        "access reviews that are due": every(HOUR, "dashboard.access_reviews.remind"),
        "run top-ups": every(MINUTE, "dashboard.top_ups.run_due", when="dashboard.top_ups.worker.has_due"),
        "finish suspensions": every(
            MINUTE, "dashboard.scim.finish_suspensions", when="dashboard.scim.suspensions.has_due"
        ),
        "apply confirmed changes": every(MINUTE, "dashboard.proposals.apply_due"),
        "seal the audit": every(SECOND, "dashboard.audit.seal", when="dashboard.audit.seal.has_waiting"),
        "anchor the audit": every(MINUTE, "dashboard.audit.anchor"),
        "mail notices": every(MINUTE, "dashboard.notifications.mail"),
        "push notices": every(15 * SECOND, "dashboard.notifications.push"),
        "daily digests": every(5 * MINUTE, "dashboard.notifications.digests"),
        "bills that are due": every(HOUR, "dashboard.notifications.bills_due"),
        "documents that end": every(HOUR, "dashboard.notifications.vendor_documents"),
        "renewals that come": every(HOUR, "dashboard.renewals.remind"),
        "forget old notices": every(HOUR, "dashboard.notifications.forget_old"),
        "forget old submissions": every(HOUR, "dashboard.web.forget_submissions"),
    },
    "service": {
        "relay events": every(SECOND, "service.events.relay", when="service.events.relay.has_waiting"),
        "deliver webhooks": every(SECOND, "service.webhooks.deliver", when="service.webhooks.delivery.has_due"),
        "forget old events": every(HOUR, "service.events.forget_old"),
        "forget old deliveries": every(HOUR, "service.webhooks.forget_old"),
        "forget old answers": every(HOUR, "service.businesses.forget_answers"),
        "forget old tokens": every(HOUR, "service.businesses.forget_tokens"),
        "seal the ledger": every(SECOND, "service.ledger.seal", when="service.ledger.seals.has_waiting"),
        "remember balances": every(HOUR, "service.ledger.snapshots"),
        "expire holds": every(MINUTE, "service.ledger.expire_holds"),
        "pay what is approved": every(5 * SECOND, "service.payments.sweep", when="service.payments.tasks.has_due"),
        "pay approved bills": every(5 * SECOND, "service.bills.sweep", when="service.bills.execution.has_due"),
        "enter recurring bills": every(
            MINUTE, "service.bill_schedules.enter", when="service.bill_schedules.selectors.has_due"
        ),
        "follow pushes": every(2 * SECOND, "service.payments.pushes", when="service.payments.pushes.has_open"),
        "expire payment requests": every(MINUTE, "service.approvals.expire"),
        "post approved transactions": every(MINUTE, "service.transactions.post_due"),
        "delete files of removed documents": every(5 * MINUTE, "service.transactions.delete_files"),
        "add up days of accounts": every(5 * MINUTE, "service.accounting.day_sums"),
        "tell of used budgets": every(5 * MINUTE, "service.budgets.alerts"),
        "settle investments": every(
            5 * SECOND, "service.investments.settle", when="service.investments.settlement.has_due"
        ),
        "accrue interest": every(HOUR, "service.investments.accrue"),
        "expire opt-ins": every(MINUTE, "service.investments.expire"),
        "ask for rates": every(MINUTE, "service.fx.refresh"),
        "keep fixings": every(HOUR, "service.fx.history"),
        "expire wallet policies": every(MINUTE, "service.wallet_policies.expire"),
        "end unclaimed card holds": every(MINUTE, "service.cards.expire_holds"),
        "expire cards": every(HOUR, "service.cards.expire_cards"),
        "ship cards": every(5 * SECOND, "service.cards.follow_shipping", when="service.cards.orders.has_moving"),
        "lost exports": every(30 * SECOND, "service.expenses.requeue_lost_exports"),
        "old exports": every(HOUR, "service.expenses.forget_old_exports"),
    },
}
app.conf.beat_schedule = SCHEDULES[PROGRAM]


# The process of the worker itself, by "pid": its children are forked of it.
_worker: dict[str, int] = {}


@celeryd_init.connect  # type: ignore[untyped-decorator]
def note_worker(**_: object) -> None:
    """Says to the children that come whose they are."""
    _worker["pid"] = os.getpid()


@worker_before_create_process.connect  # type: ignore[untyped-decorator]
def share_what_is_loaded(**_: object) -> None:
    """As gunicorn's workers do (config/gunicorn.py): a collector writes into all that it looks at."""
    gc.collect()
    gc.freeze()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def end_with_the_worker(**_: object) -> None:
    """A worker's child that outlived its parent would hold tasks that nobody can take back. One whose parent is gone
    already, before it could ask to be ended with it, ends now. With `-P solo` there is no child: the worker does all itself,
    and who started it is nobody to end with."""
    if os.getpid() != _worker.get("pid"):
        die_with_parent(parent=_worker.get("pid"))
