from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "dashboard.mirror"
    label = "mirror"

    def ready(self) -> None:
        """Registers with the floors below: subjects and standings with the gate, names of ids with the audit; and what follows from a
        renamed category within the copy."""
        from dashboard.access.standing import register_reader
        from dashboard.access.subject import subject_of
        from dashboard.audit.naming import register_named
        from dashboard.mirror.category_labels import follow_categories
        from dashboard.mirror.events import on_written
        from dashboard.mirror.mappers import MAPPERS
        from dashboard.mirror.standing import read_mirrored_standing

        for mapper in MAPPERS.values():
            if mapper.subject is not None:
                subject_of.register(mapper.model, mapper.subject)
            if mapper.names_ids:
                register_named(mapper.model)
        register_reader("mirror", read_mirrored_standing)
        on_written(follow_categories)
