"""Letters in pictures, by Tesseract where the server has it: looked for, called with a time limit, named where missing."""

import os
import shutil
import subprocess

import structlog

from dashboard.documents import limits
from dashboard.documents.lines import plain_lines
from dashboard.documents.process import draw_for_recognition
from dashboard.documents.readings import Reading
from dashboard.documents.receipt_text import read_lines

log = structlog.get_logger(__name__)

MISSING = "The text of pictures is not read: Tesseract is not installed on this server."


def tesseract() -> str | None:
    """Where the program is; None where this server has none."""
    return shutil.which("tesseract")


def recognise(content: bytes) -> Reading:
    """What the first page of a picture or a scanned PDF says; an empty reading without Tesseract, or where it fails or
    takes longer than `limits.RECOGNITION_SECONDS`."""
    program = tesseract()
    picture = draw_for_recognition(content).picture if program else b""
    if program is None or not picture:
        return Reading()
    environment = {name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX") if name in os.environ}
    try:
        ended = subprocess.run(  # noqa: S603 - Tesseract, a picture of our own on its stdin
            [program, "stdin", "stdout", "--psm", "6"], input=picture, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=limits.RECOGNITION_SECONDS, env={**environment, "OMP_THREAD_LIMIT": "1"}, check=False,
        )  # fmt: skip
    except (subprocess.TimeoutExpired, OSError) as error:
        log.warning("nothing recognised", error=type(error).__name__)
        return Reading()
    return read_lines(plain_lines(ended.stdout.decode(errors="replace")), recognised=True)
