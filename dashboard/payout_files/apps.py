from django.apps import AppConfig


class PayoutFilesConfig(AppConfig):
    name = "dashboard.payout_files"
    label = "payout_files"
