"""Each request has an id of ours: on its answer, on its lines, on what it asks of the service, and on the page that failed."""

from __future__ import annotations

import re
from collections.abc import Callable
from unittest import mock

from django.test import Client

from tests.dashboard.conftest import World
from tests.log_lines import written_lines

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def test_a_request_has_one_line_under_the_name_of_its_page(new_world: Callable[..., World]) -> None:
    world = new_world()
    client = world.client("Apollo")
    with written_lines() as lines:
        answer = client.get(world.address("approvals/?q=254712345678"), headers={"X-Request-Id": "somebody-elses"})
    [line] = lines.of("request")
    assert UUID.fullmatch(answer["X-Request-Id"])
    assert (line["request_id"], line["page"], line["status"]) == (answer["X-Request-Id"], "approvals", 200)
    assert len(line["trace_id"]) == 32
    assert all(each["request_id"] == line["request_id"] for each in lines.all())
    assert "254712345678" not in lines.stream.getvalue()


def test_what_is_not_there_is_no_line_with_an_address() -> None:
    with written_lines() as lines:
        answer = Client().get("/-/nowhere/sEcr3tPartOfAnAddress0123456789/")
    assert answer.status_code in {302, 404}
    assert [line["event"] for line in lines.all() if line["logger"] != "django.security"] == ["request"]
    assert "sEcr3t" not in lines.stream.getvalue()


def test_the_reference_on_a_broken_page_finds_all_its_lines() -> None:
    broken = mock.patch("dashboard.web.health.JsonResponse", side_effect=RuntimeError("ours"))
    with broken, written_lines() as lines:
        answer = Client(raise_request_exception=False).get("/healthz")
    assert answer.status_code == 500
    assert answer["X-Request-Id"] in answer.content.decode()
    assert {line["request_id"] for line in lines.all()} == {answer["X-Request-Id"]}
    assert any("RuntimeError: ours" in line.get("exception", "") for line in lines.all())
