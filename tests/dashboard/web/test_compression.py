"""Pages leave compressed as the browser takes it; how long they are then says nothing of what is in them."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import brotli
import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from dashboard.web.compression import PADDING, Compression, compress
from tests.dashboard.conftest import World

PAGE = ("<p>" + "Approve or decline. " * 200 + "</p>").encode()


def answer(accepted: str, response: HttpResponse | StreamingHttpResponse) -> HttpResponse:
    request: HttpRequest = RequestFactory().get("/", headers={"Accept-Encoding": accepted} if accepted else {})
    done = Compression(lambda _: response)(request)
    assert isinstance(done, HttpResponse)
    return done


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"), ("br;q=1.0, gzip;q=0.5", "br"), ("gzip", "gzip"), ("gzip, br;q=0", "gzip"),
        ("identity", ""), ("", ""), ("zstd", ""),
    ],
)  # fmt: skip
def test_it_is_compressed_as_the_browser_takes_it(accepted: str, encoding: str) -> None:
    sent = answer(accepted, HttpResponse(PAGE))
    assert sent.get("Content-Encoding", "") == encoding
    assert "Accept-Encoding" in sent["Vary"]
    read = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[encoding]
    assert read(sent.content) == PAGE
    if encoding:
        assert len(sent.content) < len(PAGE) / 5
        assert sent["Content-Length"] == str(len(sent.content))


@pytest.mark.parametrize("accepted", ["br", "gzip"])
def test_the_same_page_is_never_twice_of_a_known_length(accepted: str) -> None:
    lengths = {len(answer(accepted, HttpResponse(PAGE)).content) for _ in range(60)}
    assert len(lengths) > 15
    assert max(lengths) - min(lengths) <= PADDING + 2


def test_every_length_of_padding_and_page_is_read_back_whole() -> None:
    for length in range(1, 400):
        assert brotli.decompress(compress(PAGE[:length])) == PAGE[:length]


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(b"short"),
        HttpResponse(PAGE, content_type="image/png"),
        HttpResponse(PAGE, headers={"Content-Encoding": "zstd"}),
    ],
)
def test_what_gains_nothing_or_is_compressed_already_goes_as_it_is(response: HttpResponse) -> None:
    before = response.content
    assert answer("br, gzip", response).content == before


def test_what_is_streamed_goes_as_it_is() -> None:
    request = RequestFactory().get("/", headers={"Accept-Encoding": "br"})
    streamed = StreamingHttpResponse([PAGE])
    assert Compression(lambda _: streamed)(request) is streamed


def test_a_page_with_its_token_comes_compressed_and_the_token_is_another_each_time(
    new_world: Callable[..., World],
) -> None:
    world = new_world()
    client = world.client("Apollo")
    pages = [client.get(world.address("approvals/"), headers={"Accept-Encoding": "br"}) for _ in range(2)]
    texts = [brotli.decompress(page.content).decode() for page in pages]
    tokens = [text.partition('name="csrf" content="')[2].partition('"')[0] for text in texts]
    assert all(len(token) == 64 for token in tokens)
    assert tokens[0] != tokens[1]


def test_the_pages_of_second_factors_are_not_compressed(new_world: Callable[..., World]) -> None:
    page = new_world().client("Apollo").get("/-/account/2fa/", headers={"Accept-Encoding": "br"})
    assert page.status_code in {200, 302}
    assert "Content-Encoding" not in page
