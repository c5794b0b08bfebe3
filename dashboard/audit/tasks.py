"""The audit's jobs: sealing committed lines, each second, and keeping the chains' heads outside, each minute."""

from celery import shared_task

from dashboard.audit.seal import anchor_heads, seal_waiting


@shared_task(name="dashboard.audit.seal", ignore_result=True)
def seal() -> int:
    """Numbers and hashes the lines that were written since the last time; how many."""
    return seal_waiting()


@shared_task(name="dashboard.audit.anchor", ignore_result=True)
def anchor() -> None:
    """Anchors the heads that are not anchored yet."""
    anchor_heads()
