"""The static files as browsers get them, made once for a data folder: again only where what they are made of has changed."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKERS = ("requirements.txt", "dashboard/web/static_files.py", "dashboard/web/script_bundle.py")
# Of the packages' files, those that no page names: other versions of the same library, and their sources.
LEFT_OUT = ("htmax-*", "htmx-4*", "htmx-2.js", "ext")


def files_digest() -> str:
    """What they are made of, ours and the packages': 64 characters."""
    digest = hashlib.sha256()
    for file in sorted((ROOT / "static").rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    for name in MAKERS:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def is_built(folder: Path) -> bool:
    """Whether the folder holds these very files, whole."""
    stamp = folder / "made-of"
    return stamp.exists() and stamp.read_text() == files_digest() and (folder / "staticfiles.json").exists()


def mark_built(folder: Path) -> None:
    """Writes down what the folder's files are made of, once they are whole."""
    (folder / "made-of").write_text(files_digest())


def collect_arguments() -> list[str]:
    """What `manage.py` is given to make them."""
    return ["collectstatic", "--no-input", "--clear", *(f"--ignore={pattern}" for pattern in LEFT_OUT)]
