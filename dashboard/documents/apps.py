from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "dashboard.documents"
    label = "documents"

    def ready(self) -> None:
        """Listens to the copy: receipts of expenses that wait for a decision are read as they come in."""
        from dashboard.documents.tasks import read_soon
        from dashboard.mirror.events import on_written

        on_written(read_soon)
