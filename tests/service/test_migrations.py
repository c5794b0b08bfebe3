"""The tables that the migrations make are those that the models say."""

from django.core.management import call_command


def test_no_model_differs_from_its_migration(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True)
