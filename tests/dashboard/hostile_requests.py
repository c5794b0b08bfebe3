"""Requests that nobody honest sends, made from the dashboard's own addresses and forms: the same for the same seed."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import cycle
from typing import Any
from urllib.parse import quote, quote_plus

BOUNDARY = "boundary"
LONG = "9" * 100_000
# JSON that a reader stumbles over: longer than Python reads a number, nested deeper than it reads and than it writes, what
# neither UTF-8 nor PostgreSQL holds, and what is no record of ours.
DOCUMENTS = (
    "9" * 5000, "[" * 5000, '{"a":' * 5000, "[" * 450 + "]" * 450, '{"status":"\\ud800"}', '{"status":"\\u0000"}',
    '{"status":' + "[" * 300 + "]" * 300 + "}", '{"limits":[1],"per_transaction_limit":"x"}', '{"a":1e99999999}', '"x"',
)  # fmt: skip
# What a page carries for itself is read as a number, as JSON or as JSON in base64, and trusted the most.
MACHINES = (
    DOCUMENTS[0],
    DOCUMENTS[1],
    DOCUMENTS[7],
    base64.urlsafe_b64encode(DOCUMENTS[1].encode()).decode().rstrip("="),
)
BREAKING = (*DOCUMENTS, *(base64.urlsafe_b64encode(one.encode()).decode().rstrip("=") for one in DOCUMENTS))
# As they stand in an address or a urlencoded body: whole bytes, so that what is no text at all is among them.
TEXTS = (
        "", " ", "0", "-1", "1", "1.5", "-0.00", "1e309", "1e3", "1_000", "NaN", "Infinity", "0x10", "٣", "９９", "true",
        "null", "None", "[]", "{}", "[1,2]", '{"a":1}', "9" * 30, "-" + "9" * 30, "2147483648", "9223372036854775808",
        "0." + "1" * 60, "2026-02-30", "0000-00-00", "9999-12-31", "10000-01-01", "2026-11-22T25:61:61", "25:61",
        "'; DROP TABLE x; --", "<script>alert(1)</script>", "{{ 7*7 }}", "%s%s%n", "../../etc/passwd", "\x01\x02\x1b[31m",
        "\r\nSet-Cookie: a=b", "\u202eevil\u2066", "\ufeff\u200b", "é" * 300, "\U0001f4a9" * 90, "ﬁ①Ⅷ", "a" * 5000,
        "x" * 255, "x" * 256, "x" * 65, "..", ".", "/", "//", "\\", "?", "#", "&a=b", "=1+1", "@SUM(1)", ",", ";", "a,b",
        "KES", "kes", "XXX", "en-US", "Africa/Nowhere", "00000000-0000-0000-0000-000000000007", "not-a-uuid",
        "expense/none", "payment/", "/", "a:b:c", ":all", "javascript:alert(1)", "http://localhost:1/",
        *BREAKING,
)  # fmt: skip
VALUES = (
    *(quote_plus(one) for one in TEXTS),
    "%ED%A0%80", "%FF%FE", "%C3%28", "%F0%9F", "%00", "a%00b", "%E2%80%AE", "%25%30%30", "%", "%zz", "+", "%0a%0d",
)  # fmt: skip
NAMES = (
    "q",
    "page",
    "view",
    "show",
    "list",
    "sort",
    "status",
    "first",
    "last",
    "cursor",
    "next",
    "only",
    "attempt",
    "key",
)
HEADERS = (
    {"HX-Request": "true"}, {"HX-Request": "true", "HX-Current-URL": "http://[::1"},
    {"HX-Request": "true", "HX-Current-URL": "http://testserver/%ED%A0%80?%00=%FF"},
    {"HX-Request": "true", "HX-Current-URL": "\x7f" * 50, "HX-Target": "a b<c>"},
    {"HX-Request": "true", "HX-History-Restore-Request": "true"}, {"HX-Boosted": "true", "HX-Request": "yes"},
    {"X-Attempt": "short"}, {"X-Attempt": "a" * 3000}, {"HX-Request": "true", "X-Attempt": "<b>"},
    {"HX-Trigger": "\u00e9", "HX-Prompt": "%00", "HX-Request": "true"}, {"Referer": "http://[bad"},
    {"Referer": "http://testserver/%00"}, {"Accept-Language": "xx-" * 500}, {"Accept": "application/json;q=x"},
    {"If-Modified-Since": "yesterday", "If-None-Match": "\\"}, {"Range": "bytes=-1-"}, {"X-Forwarded-For": "::::"},
    {"Origin": "null"}, {"X-Request-Id": "%0a" * 200}, {"User-Agent": ""}, {"Cookie": "sessionid=%00; csrftoken=\x01"},
)  # fmt: skip
COOKIES = ("", "\x01", "a" * 8000, "%00", "'", "\u00e9", "../../x", "null", "0" * 32)
BODIES = (
    ("application/json", "{"), ("application/json", '{"a": NaN}'), ("application/json", "\x00"), ("text/plain", "key=1"),
    ("application/json", "[" * 5000), ("application/x-www-form-urlencoded", "=&&&===%"), ("", "key=1"),
    ("application/x-www-form-urlencoded; charset=nonsense", "key=1"), ("multipart/form-data", "key=1"),
    ("application/x-www-form-urlencoded; charset=utf-16", "key=%00"), ("application/xml", "<a/>"),
    (f"multipart/form-data; boundary={BOUNDARY}", "nothing of it"), ("multipart/form-data; boundary=\u00e9", "x"),
    (f"multipart/form-data; boundary={BOUNDARY}", f"--{BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx"),
    (f"multipart/form-data; boundary={'b' * 300}", "x"), ("application/x-www-form-urlencoded", "a=1&" * 1200),
)  # fmt: skip
FILES = (
    b"", b"\x00", b"\xff\xfe\x00\x00", b"name\n\x00\n", b"name,name\n1,2\n", b'name\n"', b"name\n" + b"," * 9000,
    b"\xef\xbb\xbfname\n\xc3\x28", b"%PDF-1.4\n%\xff", b"PK\x03\x04" + b"\x00" * 60, b"name;phone\n\xe2\x80\xae;\x1b\n",
    b"name\n" + "\u202ex".encode() + b"\n", b"\n\n\n", b"name\r\rx\r", b"<svg/>", b"name\n" + b"x" * 100_000,
)  # fmt: skip
FILE_NAMES = ("a.csv", "", "..", "a\x00.csv", "\u202egpj.csv", "x" * 400 + ".csv", "a/b.csv", "con.pdf", "a\r\nb.csv")


@dataclass
class Form:
    """A form of a page: its address, and its fields with what the page has in them."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    # Fields that a page has written for itself: hidden ones, and buttons.
    unseen: set[str] = field(default_factory=set)


class Forms(HTMLParser):
    """Reads the forms out of a page, and the addresses that its scripts would ask."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.found, self.open = address, list[Form](), Form(address, "GET")
        self.select = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.open = Form(given.get("action") or self.address, given.get("method", "get").upper())
            self.found.append(self.open)
        for verb in ("get", "post"):
            if address := given.get(f"hx-{verb}"):
                self.found.append(Form(address, verb.upper(), self.open.fields, self.open.files, self.open.unseen))
        name = given.get("name", "")
        if tag in {"input", "textarea", "button", "select"} and name:
            self.open.fields.setdefault(name, []).append(given.get("value", ""))
            self.select = name if tag == "select" else self.select
            if given.get("type") == "file":
                self.open.files.add(name)
            if tag == "button" or given.get("type") == "hidden":
                self.open.unseen.add(name)
        if tag == "option" and self.select and given.get("value"):
            self.open.fields.setdefault(self.select, []).append(given["value"])


def forms_in(address: str, page: str) -> list[Form]:
    """The forms of a page, by address and fields once each; what signs a person out is left alone."""
    reader = Forms(address)
    reader.feed(page)
    unique = {(one.action.partition("?")[0], one.method, tuple(sorted(one.fields))): one for one in reader.found}
    return [one for one in unique.values() if one.action.startswith("/") and "/account/logout/" not in one.action]


@dataclass
class Hostile:
    """One request, as `Client.generic` takes it."""

    method: str
    address: str
    body: bytes = b""
    content_type: str = "application/x-www-form-urlencoded"
    headers: dict[str, str] = field(default_factory=dict)
    session: str | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.address[:300]} {self.content_type} {self.body[:300]!r} {self.headers or ''}"


class Enemy:
    """Makes requests out of forms, of addresses whose parameters are filled in, and of patterns."""

    def __init__(self, seed: str, forms: Sequence[Form], addresses: Sequence[str], patterns: Sequence[str]) -> None:
        self.dice = random.Random(seed)
        self.forms, self.addresses, self.patterns = list(forms), list(addresses), list(patterns)

    def request(self) -> Hostile:
        """The next one."""
        makers = [self._form] * 6 + [self._query] * 3 + [self._path] + [self._body] + [self._post]
        made = self.dice.choice(makers)()
        if self.dice.random() < 0.25:
            made.headers |= self.dice.choice(HEADERS)
        elif made.method == "POST" and self.dice.random() < 0.5:
            made.headers |= {"HX-Request": "true"} | ({"X-Attempt": "a" * 20} if self.dice.random() < 0.2 else {})
        if self.dice.random() < 0.02:
            made.session = self.dice.choice(COOKIES)
        return made

    def _value(self) -> str:
        return quote_plus(LONG) if self.dice.random() < 0.02 else self.dice.choice(VALUES)

    def _pairs(self, known: dict[str, list[str]]) -> list[tuple[str, str]]:
        """The form's own values with some of them made hostile, repeated, left out, or strange ones put in."""
        pairs = [(quote_plus(name), quote_plus(self.dice.choice(values))) for name, values in known.items()]
        for _ in range(self.dice.choice((1, 1, 1, 2, 3, 8))):
            turn = self.dice.random()
            at = self.dice.randrange(len(pairs)) if pairs else 0
            if pairs and turn < 0.75:
                pairs[at] = (pairs[at][0], self._value())
            elif pairs and turn < 0.83:
                pairs.append((pairs[at][0], self._value()))
            elif pairs and turn < 0.9:
                del pairs[at]
            else:
                pairs.append((self.dice.choice((*NAMES, "%00", "a[]", "__proto__")), self._value()))
        return pairs

    def _encoded(self, known: dict[str, list[str]]) -> str:
        return "&".join(f"{name}={value}" for name, value in self._pairs(known))

    def _form(self) -> Hostile:
        form = self.dice.choice(self.forms)
        if form.method != "POST":
            return Hostile("GET", f"{form.action.partition('?')[0]}?{self._encoded(form.fields)}")
        if form.files or self.dice.random() < 0.05:
            return self._upload(form)
        return Hostile("POST", form.action, self._encoded(form.fields).encode())

    def _upload(self, form: Form) -> Hostile:
        parts = []
        for name, values in form.fields.items():
            named = f'Content-Disposition: form-data; name="{name}"'
            if name in form.files or self.dice.random() < 0.05:
                named += f'; filename="{self.dice.choice(FILE_NAMES)}"\r\nContent-Type: {self.dice.choice(("text/csv", "x", "application/pdf"))}'
                value = self.dice.choice(FILES)
            else:
                value = self.dice.choice(values).encode()
            parts.append(f"--{BOUNDARY}\r\n{named}\r\n\r\n".encode() + value)
        body = b"\r\n".join(parts) + f"\r\n--{BOUNDARY}--\r\n".encode()
        return Hostile("POST", form.action, body, f"multipart/form-data; boundary={BOUNDARY}")

    def _query(self) -> Hostile:
        of = self.dice.choice(self.forms).fields if self.dice.random() < 0.6 else {}
        names = {name: [""] for name in (list(of) or self.dice.sample(NAMES, 3))[:12]}
        return Hostile("GET", f"{self.dice.choice(self.addresses)}?{self._encoded(names)}")

    def _path(self) -> Hostile:
        """A parameter of the address made hostile; NUL is what the converters of the addresses refuse."""
        whole = self.dice.choice(self.patterns)
        while "<" in whole:
            begin, end = whole.index("<"), whole.index(">") + 1
            value = self.dice.choice([one for one in VALUES if "%00" not in one])
            whole = whole[:begin] + (value.replace("+", "%20") or "-") + whole[end:]
        return Hostile(self.dice.choice(("GET", "POST")), whole)

    def _body(self) -> Hostile:
        content_type, body = self.dice.choice(BODIES)
        address = self.dice.choice([one.action for one in self.forms if one.method == "POST"] or self.addresses)
        return Hostile("POST", address, body.encode("utf-8", "replace"), content_type)

    def _post(self) -> Hostile:
        body = json.dumps({self.dice.choice(NAMES): self.dice.choice((1, None, [], {"a": 1}, "x"))}).encode()
        kind = self.dice.choice(("application/json", "application/x-www-form-urlencoded"))
        return Hostile(
            self.dice.choice(("POST", "PUT", "DELETE", "PATCH")), self.dice.choice(self.addresses), body, kind
        )


def requests_by_field(forms: Sequence[Form], *, whole: bool) -> Iterator[Hostile]:
    """Every field of every form, the rest as the page has it: what the page wrote for itself with each of MACHINES, what is
    typed with one of BREAKING after the other (`whole`: all with each of BREAKING); and each numbered name with a number of
    5,000 digits."""
    turn, number = cycle(BREAKING), 0
    for form in forms:
        honest = {name: values[0] for name, values in form.fields.items() if name != "csrfmiddlewaretoken"}
        for name in honest:
            unseen = name in form.unseen and name != "key"
            values = BREAKING if whole else MACHINES if unseen else (next(turn),)
            changes = [{name: value} for value in values]
            if re.search(r"[0-9]", name):
                changes.append({name: "", re.sub(r"[0-9]+", "9" * 5000, name): honest[name]})
            for change in changes:
                number += 1
                key = {"key": f"by-field-{number:08d}"} if "key" in honest else {}
                pairs = (f"{quote_plus(one)}={quote_plus(value)}" for one, value in (honest | key | change).items())
                query = "&".join(pairs)
                if form.method == "POST":
                    yield Hostile("POST", form.action, query.encode())
                else:
                    yield Hostile("GET", f"{form.action.partition('?')[0]}?{query}")


def documents_by_leaf(document: Any, values: Sequence[str]) -> Iterator[bytes]:
    """The JSON document with each of its leaves and branches, and the whole of it, replaced by each of the values."""
    mark = "\x1amark\x1a"

    def marked(part: Any) -> Iterator[Any]:
        yield mark
        if isinstance(part, dict):
            for name, inner in part.items():
                yield from ({**part, name: one} for one in marked(inner))
        elif isinstance(part, list):
            for place, inner in enumerate(part):
                yield from ([*part[:place], one, *part[place + 1 :]] for one in marked(inner))

    for shape in marked(document):
        text = json.dumps(shape)
        yield from (text.replace(json.dumps(mark), value).encode() for value in values)


def ascii_address(address: str) -> str:
    """An address as it goes over the wire."""
    return quote(address, safe="/?&=%#+:;,.-_~!$'()*@[]")


def sent(browser: Any, one: Hostile) -> Any:
    """What the dashboard answers to it."""
    return browser.generic(
        one.method, ascii_address(one.address), one.body, one.content_type or "application/octet-stream",
        headers={name: value for name, value in one.headers.items() if name != "Cookie"},
    )  # fmt: skip
