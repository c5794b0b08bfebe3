"""The jobs of decisions: the sweep each second that sends what is due, and the look for what has grown old."""

from celery import shared_task

from dashboard.decisions import weekly
from dashboard.decisions.alerts import raise_alerts
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.samples import draw_samples
from dashboard.decisions.usual import write_usual


@shared_task(name="dashboard.decisions.send_due", ignore_result=True)
def send_due_decisions() -> int:
    """Sends what is due; each second, and whenever a decision without a wait was taken."""
    return send_due()


@shared_task(name="dashboard.decisions.raise_alerts", ignore_result=True)
def raise_alerts_for_old() -> int:
    """Raises an alert for each decision that stays unknown; every 30 seconds."""
    return raise_alerts()


@shared_task(name="dashboard.decisions.draw_samples", ignore_result=True)
def draw_samples_due() -> int:
    """Draws the sample of what was approved because it looked clean; each minute."""
    return draw_samples()


@shared_task(name="dashboard.decisions.reckon_usual", ignore_result=True)
def reckon_usual() -> int:
    """Writes what is usual onto what waits, for the order by urgency; each minute."""
    return write_usual()


@shared_task(name="dashboard.decisions.draw_weekly_samples", ignore_result=True)
def draw_weekly_samples() -> int:
    """Draws the weekly sample of what was approved, by people and by nobody; hourly, each week once."""
    return weekly.draw_weeks()
