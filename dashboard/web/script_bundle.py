"""The scripts of every page as one file: our ES modules, put together when the static files are collected.

Each module becomes a function of its own that gives back what it exports, in the order in which they need each other, so
that no name of one meets a name of another. What this needs of the modules is checked: imports by name from a file beside
it, each on one line, exports of functions and constants, and no circle (tests/house/test_scripts.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

IMPORT = re.compile(r'^import (?:\{ (?P<names>[^}]+) \} from )?"\./(?P<file>[\w-]+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function (?P<function>\w+)|const (?P<constant>\w+))", re.MULTILINE)
# Whole lines of a comment: what stands behind code might be part of a text.
COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
ANY_OF_THEM = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class NotBundled(ValueError):
    """A module is written in a way that cannot be put together: the message names it and its line."""


def bundle(sources: Mapping[str, str], entry: str) -> str:
    """One module in place of `entry` and all that it imports; `sources` are the modules by the name of their file.

    It exports an object for each module that exports anything, for the pages' own scripts (`against_bundle`).
    """
    parts, exporting = [], []
    for file in modules_of(sources, entry):
        body, exported = _body(file, sources[file])
        gives = f"return {{ {', '.join(exported)} }};\n" if exported else ""
        parts.append(f"const {variable(file)} = (() => {{\n{body}{gives}}})();\n")
        exporting += [variable(file)] if exported else []
    return "".join(parts) + f"export {{ {', '.join(exporting)} }};\n"


def against_bundle(source: str, bundled: frozenset[str], entry: str) -> str:
    """A page's own script, which takes what is in the bundle from there: each module is there once, with what it knows."""

    def replacement(statement: re.Match[str]) -> str:
        file, names = statement["file"], statement["names"]
        if file not in bundled:
            return statement[0]
        if names is None:
            return f'import "./{entry}";'
        module = variable(file)
        return f'import {{ {module} }} from "./{entry}";\nconst {{ {_destructured(names)} }} = {module};'

    return IMPORT.sub(replacement, COMMENT.sub("", source))


def modules_of(sources: Mapping[str, str], entry: str) -> list[str]:
    """The entry and all that it imports, each after what it needs; NotBundled for a file that is not there or a circle."""
    order: list[str] = []

    def visit(file: str, above: tuple[str, ...]) -> None:
        if file in above:
            raise NotBundled(f"{file} imports itself by way of {' and '.join(above)}")
        if file not in sources:
            raise NotBundled(f"{above[-1]} imports {file}, which is not there")
        if file not in order:
            for statement in IMPORT.finditer(sources[file]):
                visit(statement["file"], (*above, file))
            order.append(file)

    visit(entry, ())
    return order


def variable(file: str) -> str:
    """The name of a module within the bundle."""
    return "module_" + file.removesuffix(".js").replace("-", "_")


def _body(file: str, source: str) -> tuple[str, list[str]]:
    """The code of a module without imports and exports, and the names that it exports."""
    exported = [export["function"] or export["constant"] for export in EXPORT.finditer(source)]

    def replacement(statement: re.Match[str]) -> str:
        names = statement["names"]
        return f"const {{ {_destructured(names)} }} = {variable(statement['file'])};" if names else ""

    body = EXPORT.sub("", IMPORT.sub(replacement, COMMENT.sub("", source)))
    if (left := ANY_OF_THEM.search(body)) is not None:
        raise NotBundled(f"{file}: {left[0]!r} is neither an import by name nor an export of a function or a constant")
    return body if body.endswith("\n") else f"{body}\n", exported


def _destructured(names: str) -> str:
    return ", ".join(re.sub(r"^(\w+) as (\w+)$", r"\1: \2", name.strip()) for name in names.split(","))
