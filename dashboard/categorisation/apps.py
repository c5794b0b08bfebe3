from django.apps import AppConfig


class CategorisationConfig(AppConfig):
    name = "dashboard.categorisation"
    label = "categorisation"

    def ready(self) -> None:
        """Hears of categories in the copy: rules name theirs."""
        from dashboard.categorisation.rules import relabel_rules
        from dashboard.mirror.events import on_written

        on_written(relabel_rules)
