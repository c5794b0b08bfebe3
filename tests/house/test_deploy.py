"""deploy/ has the shape that runs as `up --cluster`, with commands, variables and rules that there are.

No Docker engine runs here. So what a wrong name would break there is looked for in the files themselves.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.cluster.house import PARTS
from config.cluster.postgres import ACCESS, RULES
from config.embedded.postgres import GRANTS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
# Each runs once and ends.
ONCE = {"databases", "migrate-dashboard", "migrate-service"}
OURS = {name: each for name, each in SERVICES.items() if each["image"] == "countersign"}
BIND = re.compile(r" -b \S+")
# Of a schedule, where it keeps its times, and that it writes no file beside it.
TIMES = " -s /tmp/schedule --pidfile="
# In a table of Markdown: the command, and whose settings it runs with.
ROW = re.compile(r"^\| [^|]+ \| `([^`]+)`(?: with `DJANGO_SETTINGS_MODULE=([a-z.]+)`)?[^|]*\|", re.M)
VARIABLE = re.compile(r"\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}")
READ = re.compile(r'(?:env|environ\.get|os\.environ\.get)\(\s*"([A-Z0-9_]+)"(?=\s*(,|\)))')
# Read by Django, Prometheus's client, OpenTelemetry and Python themselves.
BY_OTHERS = {"DJANGO_SETTINGS_MODULE", "PROMETHEUS_MULTIPROC_DIR", "OTEL_EXPORTER_OTLP_ENDPOINT", "TMPDIR"}
# Of the example, what no container has, and why.
NOT_PASSED = {
    "DATABASE_OWNER_URL": "what migrates has its owner's address as DATABASE_URL",
    "SERVICE_DATABASE_OWNER_URL": "likewise",
    "SERVICE_REDIS_URL": "one Redis is both programs'",
    "STATIC_FOLDER": "the image says where it has them",
    "INBOUND_MAIL_FOLDER": "for development",
    "PUSH_HTTP_ON_LOOPBACK": "for development",
    "SIGN_ON_HTTP_ON_LOOPBACK": "for development",
    "SERVICE_WEBHOOK_ALLOW_LOOPBACK": "for development: nothing listens beside the service in its container",
    "SERVICE_SANDBOX": "for tests and demos",
    "SERVICE_SANDBOX_TOKEN": "for tests and demos",
    "DEMO_EXPENSES": "read by `manage.py up`",
}


def settings_of(name: str) -> str:
    module: str = SERVICES[name]["environment"]["DJANGO_SETTINGS_MODULE"]
    return module


def read_by(*files: str) -> dict[str, bool]:
    """The variables that some files read, and whether each has to be there: it is read with no default."""
    texts = ((ROOT / "config" / file).read_text() for file in files)
    pairs = [pair for text in texts for pair in READ.findall(text)]
    return {name: all(end == ")" for one, end in pairs if one == name) for name, _ in pairs}


def variables_of(name: str) -> dict[str, bool]:
    """Those of one container's program."""
    program = settings_of(name).rpartition(".")[2]
    own = f"settings/{program}.py"
    parts = re.findall(r"^from config\.settings\.(\w+) import \*", (ROOT / "config" / own).read_text(), re.M)
    return read_by(own, *(f"settings/{part}.py" for part in parts), "gunicorn.py")


def documented() -> set[str]:
    return set(re.findall(r"^([A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.M))


def filled_in(value: str) -> str:
    """As compose would, from an environment in which each variable that has to be there is a word."""
    return VARIABLE.sub(lambda found: found[3] if found[2] == "-" else "word", value)


def test_the_same_processes_run_as_with_up_cluster() -> None:
    assert SERVICES.keys() - ONCE == {part.replace(" ", "-") for part in PARTS}


def test_each_command_stands_in_the_table_of_the_page_and_each_of_the_table_runs() -> None:
    table = {
        (BIND.sub("", command), settings) for command, settings in ROW.findall((ROOT / "docs/deploy.md").read_text())
    }
    running = {
        (
            BIND.sub("", each["command"]).removesuffix(TIMES),
            # A web server's program is said by its command.
            "" if each["command"].startswith("gunicorn") else settings_of(name),
        )
        for name, each in OURS.items()
        if name not in ONCE
    }
    assert len(table) == 7
    assert running == table
    for name, each in OURS.items():
        if each["command"].startswith("gunicorn"):
            assert each["command"].endswith(f":{settings_of(name).rpartition('.')[2]}")


def test_a_variable_of_a_container_is_one_that_its_program_reads() -> None:
    unread = {(name, one) for name in OURS for one in OURS[name]["environment"].keys() - variables_of(name) - BY_OTHERS}
    assert unread == set()


def test_what_a_program_cannot_do_without_is_there() -> None:
    missing = {
        (name, variable)
        for name in OURS
        for variable, needed in variables_of(name).items()
        # Of two Redis, one is enough.
        if needed and variable not in OURS[name]["environment"] and variable != "SERVICE_REDIS_URL"
    }
    assert missing == set()
    assert any(needed for name in OURS for needed in variables_of(name).values())


def test_what_has_to_be_filled_in_stands_in_the_example() -> None:
    used = {name for name, _, _ in VARIABLE.findall((DEPLOY / "compose.yaml").read_text())}
    assert len(used) > 30
    assert used - documented() == set()


def test_what_stands_in_the_example_reaches_a_container_or_says_why_not() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    passed = {name for name, _, _ in VARIABLE.findall(text)} | {
        name for each in SERVICES.values() for name in each.get("environment", ())
    }
    assert documented() - passed == NOT_PASSED.keys()
    for name in ("EXPORTS_STORAGE_URL", "DATABASE_REPLICA_URL", "DATABASE_REPLICA_LAG_S"):
        assert all(name in each["environment"] for one, each in OURS.items() if settings_of(one).endswith("dashboard"))
    assert all(
        "SERVICE_STORAGE_URL" in each["environment"]
        for one, each in OURS.items()
        if settings_of(one).endswith("service")
    )


def test_a_bucket_is_reached_by_whoever_reads_files_and_its_packages_are_there() -> None:
    for name, each in OURS.items():
        if name not in ONCE and "schedule" not in name:
            assert "outside" in each["networks"], name
    assert re.search(r"pip install .*-r requirements-s3\.txt", (DEPLOY / "Dockerfile").read_text())


def test_files_that_are_worked_on_lie_on_a_volume_and_not_in_memory() -> None:
    """Uploads, exports that grow and receipts that pass through may be larger than a container's memory."""
    for name, each in OURS.items():
        folder = each["environment"]["TMPDIR"]
        # Without a name it is each container's own; with the rights that the image has there, everybody's to write.
        assert folder in each["volumes"], name
        assert not any(one.partition(":")[0] == folder for one in each["tmpfs"])


def test_every_program_reads_its_database_from_both_hosts() -> None:
    for each in OURS.values():
        urls = [value for name, value in each["environment"].items() if name.endswith("DATABASE_URL")]
        assert len(urls) == 1
        assert "@postgres-1:5432,postgres-2:5432/" in urls[0]
        assert urls[0].endswith("?target_session_attrs=read-write")


def test_nobody_may_more_than_they_need() -> None:
    for name, each in SERVICES.items():
        assert (name, each["read_only"], each["cap_drop"]) == (name, True, ["ALL"])
        assert each["security_opt"] == ["no-new-privileges:true"]
        # People reach the proxy alone, and etcd is reached by the two PostgreSQL alone.
        assert (name == "proxy") == ("ports" in each)
        assert ("agreement" in each["networks"]) == (name in {"etcd", "postgres-1", "postgres-2"})


def test_volumes_and_networks_are_declared_and_used() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    volumes = {one.partition(":")[0] for each in SERVICES.values() for one in each.get("volumes", ())}
    assert {one for one in volumes if one[0] not in "./$"} == compose["volumes"].keys()
    assert {one for each in SERVICES.values() for one in each["networks"]} == compose["networks"].keys()
    needed = {one for each in SERVICES.values() for one in each.get("depends_on", ())}
    assert needed <= SERVICES.keys()


@pytest.mark.parametrize(("file", "user"), [("Dockerfile", "10001"), ("postgres/Dockerfile", "postgres")])
def test_an_image_is_made_in_two_stages_by_hash_and_runs_as_a_user_of_its_own(file: str, user: str) -> None:
    text = (DEPLOY / file).read_text()
    build, final = re.split(r"^FROM .*$", text, flags=re.M)[1:]
    installs = re.findall(r"pip install[^\n]*", text)
    assert installs
    assert all("--require-hashes" in one and "--no-deps" in one for one in installs)
    assert "pip install" in build
    assert "pip install" not in final
    assert re.findall(r"^USER (\S+)$", final, re.M) == [user]
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.M):
        for source in sources.split():
            assert (ROOT / source).exists()
            assert any(f"!{source}".startswith(one) for one in ignored if one.startswith("!")), source


def test_what_is_left_out_of_the_image_is_a_package_that_is_installed_elsewhere() -> None:
    [left_out] = re.findall(r"/\^\(([^)]+)\)==/", (DEPLOY / "Dockerfile").read_text())
    [kept] = re.findall(r"/\^\(([^)]+)\)==/", (DEPLOY / "postgres" / "Dockerfile").read_text())
    installed = set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements.txt").read_text(), re.M))
    assert set(left_out.split("|")) | set(kept.split("|")) <= installed


def test_patroni_has_the_rules_that_are_tested() -> None:
    patroni = yaml.safe_load((DEPLOY / "postgres" / "patroni.yml").read_text())
    assert patroni["bootstrap"]["dcs"] == RULES
    # On machines of their own they come from anywhere in their network, and likewise with a password.
    assert patroni["postgresql"]["pg_hba"] == [one.replace("127.0.0.1/32", "all") for one in ACCESS]


def test_the_databases_are_made_as_everywhere() -> None:
    script = re.sub(r"\s+", " ", (DEPLOY / "postgres" / "databases.sh").read_text()).replace("${program}", "PROGRAM")
    for grant in GRANTS:
        assert grant.format(owner="PROGRAM_owner", app="PROGRAM_app") + ";" in script
    subprocess.run(["sh", "-n", str(DEPLOY / "postgres" / "databases.sh")], check=True)


def test_the_proxy_knows_the_programs_by_their_names() -> None:
    servers = re.findall(r"^\s+server (\S+) (\S+):8000$", (DEPLOY / "haproxy.cfg").read_text(), re.M)
    assert {name for name, _ in servers} == {
        name for name, each in OURS.items() if each["command"].startswith("gunicorn")
    }
    assert all(name == host for name, host in servers)
    used = {name for name, _, _ in VARIABLE.findall((DEPLOY / "haproxy.cfg").read_text())}
    assert used == SERVICES["proxy"]["environment"].keys()


@pytest.mark.full
@pytest.mark.parametrize("name", ["dashboard-1", "service-1"])
def test_the_programs_start_on_these_variables_and_no_others(name: str) -> None:
    environment = {variable: filled_in(str(value)) for variable, value in OURS[name]["environment"].items()}
    environment.pop("PROMETHEUS_MULTIPROC_DIR")
    program = ["service"] if name.startswith("service") else []
    run = subprocess.run(
        [sys.executable, "manage.py", *program, "check", "--deploy", "--fail-level", "ERROR"],
        cwd=ROOT, env={"PATH": os.environ["PATH"], **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
