"""The alerts and the Grafana dashboard name metrics that the programs have, and every metric is looked at by one of them."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
NAME = re.compile(r"countersign_(?:dashboard|service)_[a-z_]+")
# What Prometheus's client adds to the name of a counter and of a histogram.
SUFFIXES = ("_total", "_bucket", "_count", "_sum")


def metric_names() -> set[str]:
    """The names in the programs: whole where they are counted, and put together of a prefix where they are read."""
    found: set[str] = set()
    for path in ("dashboard/metrics.py", "service/metrics.py"):
        found |= set(re.findall(r'"(countersign_\w+)"', (ROOT / path).read_text()))
    for path, prefix in (
        ("dashboard/web/metrics.py", "countersign_dashboard_"),
        ("service/metrics.py", "countersign_service_"),
    ):
        text = (ROOT / path).read_text()
        found |= {prefix + name for name in re.findall(r'(?:_gauge|_name)\(\s*"(\w+)"', text)}
        by_state = re.findall(r'_by_state\(\s*"(\w+)"', text)
        found |= {f"{prefix}{name}{rest}" for name in by_state for rest in ("", "_oldest_seconds")}
    return found


def metric(name: str) -> str:
    for suffix in SUFFIXES:
        if name.endswith(suffix) and name.removesuffix(suffix) in metric_names():
            return name.removesuffix(suffix)
    return name


def alerts() -> list[dict[str, Any]]:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    return [rule for group in rules["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    board: dict[str, Any] = json.loads((DEPLOY / "grafana" / "countersign.json").read_text())
    found: list[dict[str, Any]] = board["panels"]
    return found


def expressions() -> list[str]:
    shown = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [*(rule["expr"] for rule in alerts()), *shown]


def test_every_expression_names_metrics_that_there_are() -> None:
    named = {metric(name) for expression in expressions() for name in NAME.findall(expression)}
    assert len(named) > 20
    assert named - metric_names() == set()


def test_every_metric_is_looked_at() -> None:
    named = {metric(name) for expression in expressions() for name in NAME.findall(expression)}
    assert metric_names() - named == set()


def test_an_alert_says_what_to_do() -> None:
    for rule in alerts():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["action"].endswith(".")


def test_what_is_read_is_where_the_programs_answer() -> None:
    jobs = yaml.safe_load((DEPLOY / "prometheus" / "scrape.yml").read_text())["scrape_configs"]
    assert {job["metrics_path"] for job in jobs} == {"/-/metrics/", "/metrics"}
