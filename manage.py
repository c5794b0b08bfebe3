#!/usr/bin/env python3
"""up · test · demo · Django's own commands for the dashboard; `manage.py service …` for the finance service's.

The first call makes .venv beside this file and installs requirements.txt into it; no other program is needed.
This file must be readable by a Python that is too old, so that it can say so.
"""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
REQUIREMENTS = os.path.join(ROOT, "requirements.txt")
STAMP = os.path.join(VENV, "installed")


def fail(line):
    sys.stderr.write(line + "\n")
    sys.exit(1)


def wanted():
    with open(REQUIREMENTS, "rb") as handle:
        return hashlib.sha256(handle.read()).hexdigest()


def stamp():
    """What .venv was filled with, and the Python that made it; nothing where it was left half made."""
    try:
        with open(STAMP) as handle:
            filled, _, version = handle.read().partition("\n")
    except OSError:
        return "", ""
    return filled, version


def usable():
    """Whether .venv still has the Python it was made with: another one that starts us is no reason to make it anew,
    under the feet of whoever runs from it."""
    version = stamp()[1]
    if not version or not os.path.exists(PYTHON):
        return False
    return version == sys.version or 0 == subprocess.call(
        [PYTHON, "-c", "import sys; sys.exit(sys.version != %r)" % version]
    )


def installed():
    return stamp()[0] == wanted() and usable()


def install():
    """Makes the virtual environment and fills it; uv does the installing where it can, pip where it cannot."""
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        fail(
            "This Python has no venv module: install your system's package for it (python3-venv), or use another Python 3.11+."
        )
    sys.stdout.write("Making .venv and installing what Countersign needs (once; about a minute) …\n")
    sys.stdout.flush()
    version = stamp()[1]
    try:
        if not usable():
            version = sys.version
            venv.EnvBuilder(with_pip=True, clear=True).create(VENV)
    except OSError as error:
        fail("Cannot make %s (%s): the folder must be writable, with 1 GB free." % (VENV, error.strerror))
    except subprocess.CalledProcessError:
        fail(
            "This Python cannot make a virtual environment with pip: install python3-venv, or use another Python 3.11+."
        )
    quiet = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    with open(REQUIREMENTS) as handle:
        uv = [line.strip() for line in handle if line.startswith("uv==")]
    fast = subprocess.call(quiet + uv, stderr=subprocess.DEVNULL) == 0 and 0 == subprocess.call(
        [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode", "--python", PYTHON, "-r", REQUIREMENTS],
        stderr=subprocess.DEVNULL,
    )
    if not fast and subprocess.call(quiet + ["-r", REQUIREMENTS]) != 0:
        fail(
            "The packages of requirements.txt could not be installed: what pip says above must be solved first (network? disk?)."
        )
    compile_own()
    with open(STAMP, "w") as handle:
        handle.write(wanted() + "\n" + version)


def compile_own():
    """Bytecode of our own modules, once: where the environment forbids writing it (PYTHONDONTWRITEBYTECODE), each of the
    dozen processes of a house would read every source anew. A folder that cannot be written costs only the time."""
    folders = [os.path.join(ROOT, name) for name in ("config", "dashboard", "service", "tests")]
    subprocess.call(
        [PYTHON, "-m", "compileall", "-q", "-j", "0"] + folders, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def main():
    if sys.version_info < (3, 11):
        fail(
            "Countersign needs Python 3.11 or newer; this is %s. Try python3.11, python3.12 …" % sys.version.split()[0]
        )
    if os.path.realpath(sys.prefix) != os.path.realpath(VENV):
        if not installed():
            install()
        os.execv(PYTHON, [PYTHON, os.path.abspath(__file__)] + sys.argv[1:])
    arguments = sys.argv[1:]
    sys.path.insert(0, ROOT)
    if arguments[:1] in (["up"], ["test"]) and sys.flags.dont_write_bytecode:
        # What was changed since then is compiled again here, since nobody else may.
        compile_own()
    if arguments[:1] == ["up"]:
        from config.up import run

        sys.exit(run(arguments[1:]))
    if arguments[:1] == ["test"]:
        from config.proof import run

        sys.exit(run(arguments[1:]))
    if arguments[:1] == ["tour"]:
        from config.tour import run

        sys.exit(run(arguments[1:]))
    program = "dashboard"
    if arguments[:1] == ["service"]:
        program, arguments = "service", arguments[1:]
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings." + program
    from django.core.management import execute_from_command_line

    import config.celery  # noqa: F401 (tasks that a command sends must find their queue)

    execute_from_command_line([sys.argv[0]] + arguments)


if __name__ == "__main__":
    main()
