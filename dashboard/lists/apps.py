"""The Django app of the lists: its tables store saved views, exports, imports and bulk actions."""

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "dashboard.lists"
    label = "lists"

    def ready(self) -> None:
        """Registers with the gate what an export of receipts is."""
        from dashboard.access.subject import subject_of
        from dashboard.lists.models import ReceiptsJob
        from dashboard.lists.subjects import receipts_job_subject

        subject_of.register(ReceiptsJob, receipts_job_subject)
