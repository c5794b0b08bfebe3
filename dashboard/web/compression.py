"""Pages leave compressed, by Brotli where the browser takes it, else by gzip.

Whoever sees how long an encrypted answer is, and can put a guess into it, could learn a secret in it from how well both
compress together (BREACH). Three things stand against that: a session's cookie is not sent with what another site asks
for; tokens of forms are masked anew in each answer, and keys of forms are new; and every answer is longer by a random
number of bytes that no decoder sees. Pages that show a second factor's secret again and again are not compressed at all.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

COMPRESSED_TYPES = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
# What is shorter fits into one packet either way.
SHORTEST = 600
# Of eleven: what comes after costs far more time than it saves bytes.
QUALITY = 5
PADDING = 100
# Second factors: allauth's addresses of them.
NEVER = "mfa_"


class Compression:
    """Compresses what a view answered as a whole; what is streamed, and what is compressed already, goes as it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not _may_be_compressed(request, response):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        accepted = {
            name.strip() for name, _, weight in map(_partition, request.headers.get("Accept-Encoding", "").split(","))
            if weight.strip() not in {"q=0", "q=0.0"}
        }  # fmt: skip
        if "br" in accepted:
            response.content, response["Content-Encoding"] = compress(response.content), "br"
        elif "gzip" in accepted:
            response.content = compress_string(response.content, max_random_bytes=PADDING)
            response["Content-Encoding"] = "gzip"
        else:
            return response
        response["Content-Length"] = str(len(response.content))
        return response


def _partition(name: str) -> tuple[str, str, str]:
    return name.partition(";")


def _may_be_compressed(request: HttpRequest, response: HttpResponse) -> bool:
    match = request.resolver_match
    return (
        not response.has_header("Content-Encoding")
        and len(response.content) >= SHORTEST
        and response.get("Content-Type", "").startswith(COMPRESSED_TYPES)
        and not (match is not None and (match.url_name or "").startswith(NEVER))
    )


def compress(content: bytes) -> bytes:
    """By Brotli, with a block of random length that is no part of what is read (RFC 7932, section 9.2: metadata)."""
    stream = brotli.Compressor(mode=brotli.MODE_TEXT, quality=QUALITY)
    # After a flush the stream goes on at a whole byte, and there a block may be put in.
    head = stream.process(content) + stream.flush()
    return bytes(head + _skipped_block(1 + secrets.randbelow(PADDING)) + stream.finish())


def _skipped_block(length: int) -> bytes:
    """A block of so many bytes, 256 at most, that a decoder skips.

    From the lowest bit: not the last (0), no nibbles of length (11), reserved (0), one byte of length to skip (01 as two
    bits), the length less one, and zeros up to the next byte.
    """
    header = 0b110 | 1 << 4 | (length - 1) << 6
    return header.to_bytes(2, "little") + secrets.token_bytes(length)
