"""What browsers are given besides pages: collected once a release, under names with a hash of what is in them, so that a
browser may keep each for good; compressed by Brotli and gzip beforehand; our modules of every page as one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from dashboard.web.script_bundle import against_bundle, bundle, modules_of

FOLDER, ENTRY = "js/", "countersign.js"
SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)
STYLE_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


class BundledStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it comes without types
    """Django's storage with hashed names, and whitenoise's compressed files beside them."""

    # An import within a page's own script names the file of the hash, too.
    support_js_module_import_aggregation = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._addresses: dict[str | None, str] = {}

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """As the others do it, on the bundle in place of its modules, and on styles without comments."""
        if not dry_run:
            self._bundle(paths)
            for name in [name for name in paths if name.startswith("css/")]:
                self._replace(paths, name, STYLE_COMMENT.sub("", _text(*paths[name])))
            # A library's script names the map to its source, which does not come with it.
            for name in [name for name in paths if name.endswith(".js") and not name.startswith(FOLDER)]:
                if SOURCE_MAP.search(script := _text(*paths[name])):
                    self._replace(paths, name, SOURCE_MAP.sub("", script))
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def url(self, name: str | None, force: bool = False) -> str:
        """The address of a file, reckoned once: what is collected does not change under a program that runs."""
        known = self._addresses.get(name)
        if known is None or force:
            known = self._addresses[name] = str(super().url(name, force))
        return known

    def _bundle(self, paths: dict[str, tuple[Storage, str]]) -> None:
        sources = {
            name.removeprefix(FOLDER): _text(*source)
            for name, source in paths.items()
            if name.startswith(FOLDER) and name.endswith(".js")
        }
        bundled = frozenset(modules_of(sources, ENTRY))
        for file, source in sources.items():
            if file == ENTRY:
                self._replace(paths, FOLDER + file, bundle(sources, ENTRY))
            elif file in bundled:
                # No page names it: it is in the bundle.
                del paths[FOLDER + file]
            else:
                self._replace(paths, FOLDER + file, against_bundle(source, bundled, ENTRY))

    def _replace(self, paths: dict[str, tuple[Storage, str]], name: str, text: str) -> None:
        self.delete(name)
        self._save(name, ContentFile(text.encode()))
        paths[name] = (self, name)


def _text(storage: Storage, name: str) -> str:
    with storage.open(name) as file:
        return bytes(file.read()).decode()
