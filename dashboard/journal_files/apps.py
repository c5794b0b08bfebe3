"""The Django app of the files of journal exports: its jobs write those of long ones."""

from django.apps import AppConfig


class JournalFilesConfig(AppConfig):
    name = "dashboard.journal_files"
    label = "journal_files"
