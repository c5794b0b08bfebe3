from django.apps import AppConfig


class JournalExportsConfig(AppConfig):
    name = "dashboard.journal_exports"
    label = "journal_exports"
