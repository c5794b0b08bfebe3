"""A document is opened by a program of its own, within limits: what a file does to it ends there."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore

import structlog

from dashboard.documents import limits
from dashboard.documents.readings import Opened

log = structlog.get_logger(__name__)

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = (sys.executable, "-s", "-E", "-m", "dashboard.documents.program")
_turns = BoundedSemaphore(limits.AT_ONCE)


@dataclass(frozen=True, slots=True)
class ProgramOutput:
    """What the program answered: the document, and the picture that it drew (WebP, or PNG for recognition; b"" where
    there is none)."""

    opened: Opened
    picture: bytes


def open_document(content: bytes) -> ProgramOutput:
    """What the document is and says, with its first page in the width that is shown. Never raises for what a file holds:
    `opened.problem` says why it is not shown."""
    return _run("open", content)


def draw_page(content: bytes, page: int, width: int, turns: int) -> ProgramOutput:
    """Page `page` (from 1) in one of `limits.WIDTHS`, turned by so many quarters to the right."""
    return _run("page", content, page, width, turns)


def draw_for_recognition(content: bytes) -> ProgramOutput:
    """The first page as a PNG from which letters can be recognised."""
    return _run("picture", content)


def _run(task: str, content: bytes, *numbers: int) -> ProgramOutput:
    if not _turns.acquire(timeout=limits.TURN_S):
        return _failed("busy")
    try:
        # No secret of ours is in its environment, and what it says on stderr may quote the file: it is not kept.
        ended = subprocess.run(  # noqa: S603 - our own program, the file on its stdin
            [*PROGRAM, task, *(str(number) for number in numbers)],
            input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, timeout=limits.SECONDS,
            env={"PYTHONDONTWRITEBYTECODE": "1", "MALLOC_ARENA_MAX": "2"}, check=False, close_fds=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        log.warning("document took too long", task=task, bytes=len(content))
        return _failed("costly")
    finally:
        _turns.release()
    if ended.returncode != 0:
        log.warning("document not opened", task=task, bytes=len(content), code=ended.returncode)
        # Ended by a signal it had used up what it may; by itself, it found something that it has no answer to.
        return _failed("costly" if ended.returncode < 0 else "broken")
    header, _, picture = ended.stdout.partition(b"\n")
    return ProgramOutput(Opened.of(json.loads(header)), picture)


def _failed(problem: str) -> ProgramOutput:
    return ProgramOutput(Opened("other", problem=problem), b"")
