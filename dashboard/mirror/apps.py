from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "dashboard.mirror"
    label = "mirror"

    def ready(self) -> None:
        """Tells the floors below what the copy knows: the gate its subjects and standings, the audit the names of ids."""
        from dashboard.access.standing import register_reader
        from dashboard.audit.naming import register_named
        from dashboard.mirror import subjects
        from dashboard.mirror.standing import read_standing

        register_named(*subjects.NAMED)
        register_reader("mirror", read_standing)
