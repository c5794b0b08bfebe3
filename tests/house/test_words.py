"""The words on the screen: what docs/glossary.md calls by another name stands nowhere that a person reads."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import pytest

from tests.house.sources import ROOT, name_of, nodes_of, root_of, tree_of
from tests.house.words import ANY_PHRASE, BEFORE, EXCEPTIONS, PHRASES, WHOLE

# A vowel that is heard takes "an", whatever stands there: a role, a kind of item.
ARTICLE = re.compile(
    r"\b[Aa] (?=(?!(?:one|once|use|used|user|unit|unique|usual|euro)\b)[aeiou])\w+|\b[Aa]n (?!hour|honest|heir|https|MCC)[b-df-hj-np-tv-zB-DG-HJ-KP-QT-WYZ]\w+"
)
# Of a value that is filled in nobody knows how it begins.
OPEN_ARTICLE = re.compile(r"\b[Aa]n? ?\x00")
HOLE = "\x00"
TEMPLATE_COMMENT = re.compile(r"\{#.*?#\}|\{% comment .*?endcomment %\}|<!--.*?-->", re.DOTALL)
TEMPLATE_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
READ_ATTRIBUTE = re.compile(r"\b(?:title|aria-label|placeholder|alt|label)=\"([^\"<>]*)\"")
QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
SCRIPT_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`")


def texts_of_template(source: str) -> Iterator[str]:
    """What a template shows: its text, the attributes that are read out, the strings that its tags are given."""
    source = TEMPLATE_COMMENT.sub("", source)
    for tag in TEMPLATE_TAG.finditer(source):
        if not tag[0].startswith(("{% url", "{% load", "{% include", "{% extends", "{% if", "{% elif", "{% icon")):
            yield from (first or second for first, second in QUOTED.findall(tag[0]))
        if tag[0].startswith("{% include"):
            yield from re.findall(r"\w+=\"([^\"]*)\"", tag[0])
    bare = re.sub(r"\{\{.*?\}\}", HOLE, source, flags=re.DOTALL)
    bare = re.sub(r"\{%.*?%\}", "\n\n", bare, flags=re.DOTALL)
    yield from READ_ATTRIBUTE.findall(bare)
    for text in re.split(r"<[^<>]*>|\n\s*\n", bare):
        yield " ".join(text.split())


def texts_of_python(tree: ast.Module) -> Iterator[str]:
    """The strings of a module, a gap for each value that is filled in; without docstrings and what is said to programmers."""
    skipped: set[int] = set()
    for node in nodes_of(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                if ast.get_docstring(node, clean=False) and isinstance(node.body[0], ast.Expr):
                    skipped.add(id(node.body[0].value))
            case ast.Raise(exc=ast.Call(func=ast.Name(id="TypeError"))):
                skipped |= {id(each) for each in ast.walk(node)}
            case ast.Call(func=ast.Attribute() as function) if root_of(function) in {"log", "logger", "logging"}:
                skipped |= {id(each) for each in ast.walk(node)}
    for node in nodes_of(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(each) for each in node.values}
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else HOLE for each in node.values)
    for node in nodes_of(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def texts_of_script(source: str) -> Iterator[str]:
    """The strings of a script; without its comments."""
    source = re.sub(r"(?m)^\s*//.*$", "", source)
    for plain, template in SCRIPT_STRING.findall(source):
        yield re.sub(r"\$\{[^}]*\}", HOLE, plain or template)


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Everything that a person reads, with the file that says it; read once."""
    return tuple(read_texts())


def read_texts() -> Iterator[tuple[str, str]]:
    """The same, file by file."""
    kinds = {".html": texts_of_template, ".txt": texts_of_template, ".js": texts_of_script}
    # What the service says reaches the pages: its refusals, its titles, the labels of its states.
    for folder in ("templates", "templates_jinja", "dashboard", "static/js", "static/push", "service"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix == ".py" and "migrations" not in file.parts:
                yield from ((name_of(file), text) for text in texts_of_python(tree_of(file)))
            elif file.suffix in kinds:
                yield from ((name_of(file), text) for text in kinds[file.suffix](file.read_text()))


@cache
def wrong_words(text: str) -> tuple[str, ...]:
    """The phrases in a text that another word stands for."""
    shown = text.strip(f" .:…·‹›{HOLE}")
    wrong = [f"{shown} (say: {WHOLE[shown]})"] if shown in WHOLE else []
    # Seventy thousand texts, of which nearly none has any of them: each is looked for alone only where one is there.
    if ANY_PHRASE.search(text):
        found = ((re.search(phrase, text), instead) for phrase, instead in PHRASES.items())
        wrong += [f"{match[0]} (say: {instead})" for match, instead in found if match]
    return tuple(wrong)


@cache
def wrong_articles(text: str) -> tuple[str, ...]:
    """Each "a" before a vowel and "an" before a consonant; each before a value of which nobody knows which it takes."""
    return (*ARTICLE.findall(text), *(found.replace(HOLE, "{}") for found in OPEN_ARTICLE.findall(text)))


def guilty(found: Iterable[tuple[str, str]], exceptions: Mapping[str, set[str]]) -> set[str]:
    """File, text and what is wrong with it, without the exceptions."""
    return {
        f"{name}: {wrong}: {text[:100].replace(HOLE, '{}')!r}"
        for name, text in found
        for wrong in (*wrong_words(text), *wrong_articles(text))
        if text.replace(HOLE, "{}") not in exceptions.get(name, set())
    }


def test_one_thing_is_called_by_one_name_wherever_it_is_read() -> None:
    assert len(texts()) > 5000
    assert guilty(texts(), EXCEPTIONS) == set()


@pytest.mark.parametrize("words", [" ".join(words.split()) for words in BEFORE.split("·")])
def test_every_word_that_was_replaced_is_found(words: str) -> None:
    assert wrong_words(words)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("KES\xa01,160.00 leaves at once", "at once"),
        (f"Moved {HOLE} times", f"{HOLE} times"),
        ("It failed three times.", "three times"),
        ("The card was retired", "retired"),
        ("once its funds are reserved", "are reserved"),
        ("an e-mail address", "e-mail"), ("From:", "From"),
    ],
)  # fmt: skip
def test_a_word_is_found_in_its_other_forms(text: str, wrong: str) -> None:
    assert any(found.startswith(wrong) for found in wrong_words(text))


@pytest.mark.parametrize(
    "text",
    [
        "From wallet", "the exchange rate", "/cards/{id}/retire", "these times", "3× the usual", "card.retired", "reserves", "email",
    ],
)  # fmt: skip
def test_a_word_that_means_something_else_is_let_through(text: str) -> None:
    assert not wrong_words(text)


def test_no_exception_is_left_that_nothing_needs() -> None:
    said = {(name, text.replace(HOLE, "{}")) for name, text in texts() if [*wrong_words(text), *wrong_articles(text)]}
    assert {(name, text) for name, lines in EXCEPTIONS.items() for text in lines} <= said


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("<th>\n  State\n</th>", "State"),
        ('<button aria-label="Lay the flag aside">x</button>', "Lay the flag aside"),
        ('{% include "a.html" with label="Delete: see the plan" %}', "see the plan"),
        ('<dd>{{ value|default:"here you are a card user" }}</dd>', "here you are"),
        ("<p>You are a admin here.</p>", "a admin"),
        ("<p>You are a {{ role }} here.</p>", "a {}"),
    ],
)
def test_a_phrase_in_a_template_is_found(source: str, wrong: str) -> None:
    assert any(wrong in line for line in guilty((("a.html", text) for text in texts_of_template(source)), {}))


@pytest.mark.parametrize(
    "source",
    [
        "{# Who stands in for whom: a admin. #}\n<p>Delegation</p>",
        '<input name="State" class="Keys" id="Books" value="Made">',
        "{% if item.state == 'Checked' %}<p>Why you're approving: an approver asks an hour ahead.</p>{% endif %}",
        "<p>State the reason; together they are a unit, a user and an MCC.</p>",
    ],
)
def test_what_nobody_reads_and_what_is_right_is_let_through(source: str) -> None:
    assert not guilty((("a.html", text) for text in texts_of_template(source)), {})


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ('X = Column("state", "State", "status")', "State"),
        ('def f(n):\n    """Says it."""\n    return f"{n} will pass"', "will pass"),
        ('label = f"You are a {role} here"', "a {}"),
        ('label = "only a approver may"', "a approver"),
        ('label = "an reviewer"', "an reviewer"),
    ],
)
def test_a_phrase_in_a_module_is_found(source: str, wrong: str) -> None:
    assert any(wrong in line for line in guilty((("a.py", text) for text in texts_of_python(ast.parse(source))), {}))


def test_what_the_service_answers_is_among_them() -> None:
    assert any(name == "service/fx/transfers.py" and text.startswith("FX ") for name, text in texts())
    source = 'title = f"Exchange {source} to {target}"\nrefused("Somebody of the office activates it.")'
    assert len(guilty((("service/x.py", text) for text in texts_of_python(ast.parse(source))), {})) == 2


def test_docstrings_comments_and_errors_for_programmers_are_let_through() -> None:
    source = '"""Standing in."""\n# will pass\n\ndef f(x):\n    """A item."""\n    raise TypeError(f"what a {x} takes back")\n'
    assert not guilty((("a.py", text) for text in texts_of_python(ast.parse(source))), {})


def test_a_phrase_in_a_script_is_found() -> None:
    source = '// Keys\nsay(`${name} will pass`);\nlabel("Taken back");\n'
    assert {line.split(": ")[1].split(" (")[0] for line in guilty((("a.js", text) for text in texts_of_script(source)), {})} == {
        "will pass", "Taken back",
    }  # fmt: skip
