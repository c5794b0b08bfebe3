"""Our templates, read with every printed variable isolated: one place, so that no template can forget it (dashboard/bidi.py).

`{{ name }}` in the text of a page becomes `{{ name|bdi }}`; in a title, an option, a drawing or a mail, where no markup
can stand, and in the attributes that are read aloud or shown, `{{ name|fsi }}`. Elsewhere, as in an address or in what a
field sends back, it stays as it is.
"""

import re
from collections.abc import Iterator

from django.template.base import TokenType, tag_re
from django.template.loaders.filesystem import Loader as FilesystemLoader

# What makes markup of a text of many lines: isolated before that, line by line.
BREAKS = re.compile(r"\|(linebreaksbr|linebreaks)\b")
PRINTS = re.compile(r"\{\{\s*(.+?)\s*\}\}", re.DOTALL)
TITLE_BLOCK, END_BLOCK = re.compile(r"\{%\s*block title\b"), re.compile(r"\{%\s*endblock\b")
# One step through markup: a comment, a tag's beginning, an attribute that is opened, an end.
STEP = re.compile(r"<!--.*?-->|</?(?P<tag>[A-Za-z][\w-]*)|(?P<attribute>[\w:-]+)\s*=\s*(?P<quote>[\"'])|(?P<end>>)|(?P<mark>[\"'])", re.DOTALL)  # fmt: skip
VERBATIM_TAGS = frozenset({"script", "style", "textarea"})
TEXT_ONLY_TAGS = frozenset({"title", "option", "svg", "text", "tspan", "desc"})
VISIBLE_ATTRIBUTES = frozenset({"title", "alt", "aria-label", "placeholder", "data-label"})


class Loader(FilesystemLoader):
    """Django's own, for the templates of this program."""

    def get_contents(self, origin):  # type: ignore[no-untyped-def]  # Django's stubs name no type for it
        """The template's source, its variables isolated."""
        return isolating(super().get_contents(origin), markup=not str(origin.name).endswith(".txt"))


def isolating(source: str, *, markup: bool = True) -> str:
    """The source of a template with a filter put to each variable that is printed where text is read."""
    position, parts, in_title = MarkupPosition(), [], False
    for part, kind in _tokens(source):
        if kind == TokenType.TEXT:
            position.advance(part)
        elif kind == TokenType.BLOCK:
            in_title = bool(TITLE_BLOCK.match(part)) or (in_title and not END_BLOCK.match(part))
        elif kind == TokenType.VAR:
            name = "fsi" if not markup or in_title else position.filter
            part = _filtered(part, name) if name else part
        parts.append(part)
    return "".join(parts)


def _tokens(source: str) -> Iterator[tuple[str, TokenType]]:
    kinds = {"{{": TokenType.VAR, "{%": TokenType.BLOCK, "{#": TokenType.COMMENT}
    for at, part in enumerate(tag_re.split(source)):
        yield part, kinds[part[:2]] if at % 2 else TokenType.TEXT


def _filtered(variable: str, name: str) -> str:
    match = PRINTS.fullmatch(variable)
    if match is None:
        return variable
    if BREAKS.search(match[1]):
        return "{{ " + BREAKS.sub(r"|fsi|\1", match[1], count=1) + " }}"
    return "{{ " + f"{match[1]}|{name}" + " }}"


class MarkupPosition:
    """Where in the markup one stands: in text, in a tag, in the value of an attribute."""

    def __init__(self) -> None:
        self.in_tag, self.attribute, self.quote = "", "", ""
        self.inside: list[str] = []

    @property
    def filter(self) -> str:
        """What a variable printed here goes through; "" where it stays as it is."""
        if self.quote:
            return "fsi" if self.attribute in VISIBLE_ATTRIBUTES else ""
        if self.in_tag or VERBATIM_TAGS.intersection(self.inside):
            return ""
        return "fsi" if TEXT_ONLY_TAGS.intersection(self.inside) else "bdi"

    def advance(self, markup: str) -> None:
        """Goes on to the end of a piece of markup."""
        for match in STEP.finditer(markup):
            if self.quote:
                self.quote = "" if match["mark"] == self.quote else self.quote
            elif match["tag"] and not self.in_tag:
                self._open(match[0], match["tag"].lower())
            elif self.in_tag and match["quote"]:
                self.attribute, self.quote = match["attribute"].lower(), match["quote"]
            elif self.in_tag and match["end"]:
                self.in_tag = ""

    def _open(self, written: str, tag: str) -> None:
        self.in_tag = tag
        if tag in VERBATIM_TAGS | TEXT_ONLY_TAGS and not written.startswith("</"):
            self.inside.append(tag)
        elif written.startswith("</") and tag in self.inside:
            self.inside.remove(tag)
