"""The jobs of e-mail that comes in; config/celery.py says when they run."""

from celery import shared_task

from dashboard.inbound_mail import services


@shared_task(name="dashboard.inbound_mail.read_mailbox", ignore_result=True)
def read_mailbox() -> int:
    """Takes in the messages of the mailbox folder; how many. In development: elsewhere no folder is named."""
    return services.read_mailbox()


@shared_task(name="dashboard.inbound_mail.read_waiting", ignore_result=True)
def read_waiting() -> int:
    """Reads the attachments that were not read yet; as they come in, and every 30 seconds."""
    return services.read_waiting()


@shared_task(name="dashboard.inbound_mail.forget_old", ignore_result=True)
def forget_old_messages() -> int:
    """Deletes messages that were closed 90 days ago; hourly."""
    return services.forget_old()
