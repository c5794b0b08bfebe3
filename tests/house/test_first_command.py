"""The environment that the first command makes: used as it is whoever starts it, made anew only where it is broken."""

import sys
from pathlib import Path

import pytest

import manage


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that stands."""
    python, requirements, stamp = tmp_path / "python", tmp_path / "requirements.txt", tmp_path / "installed"
    python.symlink_to(sys.executable)
    requirements.write_text("django==5.2\n")
    monkeypatch.setattr(manage, "PYTHON", str(python))
    monkeypatch.setattr(manage, "REQUIREMENTS", str(requirements))
    monkeypatch.setattr(manage, "STAMP", str(stamp))
    stamp.write_text(f"{manage.wanted()}\n{sys.version}")
    return tmp_path


def test_another_python_starts_what_stands(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert manage.installed()
    monkeypatch.setattr(sys, "version", "3.99.0 (of somebody's own)")
    assert manage.installed()


def test_other_requirements_are_installed_into_it(made: Path) -> None:
    (made / "requirements.txt").write_text("django==5.3\n")
    assert not manage.installed()
    assert manage.usable()


def test_it_is_made_anew_where_its_python_is_another_or_gone_or_it_was_left_half_made(made: Path) -> None:
    stamp, python = made / "installed", made / "python"
    stamp.write_text(f"{manage.wanted()}\n3.8.0 (what was there before)")
    assert not manage.usable()
    stamp.write_text(f"{manage.wanted()}\n{sys.version}")
    python.unlink()
    python.symlink_to(made / "nothing")
    assert not manage.usable()
    stamp.unlink()
    assert not manage.usable()
    assert not manage.installed()
