"""Grammar by rule: whoever puts a noun that varies behind "a" or "an" has the article chosen by service.text.with_article, or
builds the sentence without one."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.sources import nodes_of, tree_of

ROOT = Path(__file__).resolve().parent.parent.parent
ENDS_WITH_ARTICLE = re.compile(r"(?:^|[\s(“\"])an? $", re.IGNORECASE)
ARTICLE_BEFORE_VARIABLE = re.compile(r"\b[Aa]n?\s+(?:<\w[^>]*>\s*)*\{\{")
ARTICLE_BEFORE_PLACE = re.compile(r"\b[Aa]n?\s(?:%s|%\(|\{\w*\})")


def _is_guess(before: ast.expr, after: ast.expr) -> bool:
    fixed = isinstance(before, ast.Constant) and ENDS_WITH_ARTICLE.search(str(before.value))
    return bool(fixed) and isinstance(after, ast.FormattedValue)


def in_python(tree: ast.Module) -> list[str]:
    """The sentences of a module that put a variable behind an article."""
    found = []
    for node in nodes_of(tree):
        if isinstance(node, ast.JoinedStr) and any(map(_is_guess, node.values, node.values[1:])):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Constant) and ARTICLE_BEFORE_PLACE.search(str(node.value)):
            found.append(str(node.value))
    return found


def in_template(source: str) -> list[str]:
    """The places of a template that put a variable behind an article."""
    return [match[0] for match in ARTICLE_BEFORE_VARIABLE.finditer(source)]


def files(*folders: str, ends: tuple[str, ...]) -> list[Path]:
    """The files of folders whose names end so."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.suffix in ends]


@pytest.mark.parametrize("folder", ["dashboard", "service"])
def test_no_sentence_of_ours_guesses_an_article(folder: str) -> None:
    found = {str(path.relative_to(ROOT)): in_python(tree_of(path)) for path in files(folder, ends=(".py",))}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_template_guesses_an_article() -> None:
    pages = files("templates", "templates_jinja", ends=(".html", ".txt"))
    assert pages
    found = {str(path.relative_to(ROOT)): in_template(path.read_text()) for path in pages}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_the_rule_finds_a_guess() -> None:
    assert in_python(ast.parse('say = f"You are a {role} here."'))
    assert in_python(ast.parse('say = f"An {role} decides."'))
    assert in_python(ast.parse('say = "You are a %s." % role'))
    assert in_python(ast.parse('say = f"{with_article(role)} decides; a mandate of {role}"')) == []
    assert in_template("<p>You are a <b>{{ role }}</b></p>")
    assert in_template("<p>You are {{ role }}: a role</p>") == []
