"""Looks over XML of strangers before anything reads it: bounded, and without what a document can hide something in."""

from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

DEEPEST = 40


class XmlRefused(ValueError):
    """This XML is not read; the text is a sentence that says why."""


class _Walk:
    """Builds nothing: it counts how deep elements stand, notes their names, and stops at a comment or an instruction."""

    def __init__(self, *, allows_comments: bool) -> None:
        self.allows_comments = allows_comments
        self.depth = 0
        self.names: set[str] = set()

    def start(self, tag: str, _attributes: dict[str, str]) -> None:
        """An element begins."""
        self.depth += 1
        self.names.add(tag.rpartition("}")[2])
        if self.depth > DEEPEST:
            raise XmlRefused("It is nested too deep.")

    def end(self, _tag: str) -> None:
        """An element ends."""
        self.depth -= 1

    def data(self, _text: str) -> None:
        """Text stands in an element."""

    def comment(self, _text: str) -> None:
        """A comment, which a signature does not cover."""
        if not self.allows_comments:
            raise XmlRefused("It has a comment in it.")

    def pi(self, _target: str, _text: str | None = None) -> None:
        """A processing instruction, which nobody needs here."""
        raise XmlRefused("It has a processing instruction in it.")

    def close(self) -> None:
        """The document has ended."""


def element_names(content: bytes, most_bytes: int, *, allows_comments: bool = False) -> set[str]:
    """The local names of the elements of a document that may be read.

    XmlRefused where it is larger than `most_bytes`, is no XML, is nested too deep, or has a document type, entities or
    processing instructions, and, unless those are allowed, comments.
    """
    if len(content) > most_bytes:
        raise XmlRefused(f"It is larger than {most_bytes // 1024} KB.")
    walk = _Walk(allows_comments=allows_comments)
    try:
        parser = DefusedXMLParser(target=walk, forbid_dtd=True, forbid_entities=True, forbid_external=True)
        parser.feed(content)
        parser.close()
    except XmlRefused:
        raise
    except DefusedXmlException:
        raise XmlRefused("It has a document type or entities in it.") from None
    except (ParseError, ValueError, LookupError):
        raise XmlRefused("It is not XML.") from None
    return walk.names
