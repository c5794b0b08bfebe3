"""A worker's children end with it; a worker that has none, since it does all itself, goes on."""

from __future__ import annotations

import os

import pytest

from config import celery


@pytest.fixture
def ended_with(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Whose end each process asked to be ended with."""
    parents: list[int | None] = []
    monkeypatch.setattr(celery, "_worker", {})
    monkeypatch.setattr(celery, "die_with_parent", lambda parent=None: parents.append(parent))
    celery.note_worker()
    return parents


def test_a_worker_that_does_all_itself_is_no_child_of_its_own(ended_with: list[int | None]) -> None:
    """With `-P solo` Celery says that a child begins in the worker itself, whose parent is somebody else."""
    celery.end_with_the_worker()
    assert ended_with == []


def test_a_child_ends_with_its_worker(ended_with: list[int | None], monkeypatch: pytest.MonkeyPatch) -> None:
    worker = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: worker + 1)
    celery.end_with_the_worker()
    assert ended_with == [worker]
