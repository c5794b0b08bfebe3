"""The tests' bytecode is written once for all workers, and is that of what stands in the file."""

import marshal
from pathlib import Path

import pytest

from tests import rewritten


def test_it_is_written_where_pytest_looks_for_it_and_anew_when_the_file_is_another(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    file = tmp_path / "test_sum.py"
    file.write_text("def test_sum():\n    total = 1\n    assert total == 2\n")
    (tmp_path / "sums.py").write_text("assert 1 == 2\n")
    assert rewritten.write(pytestconfig, [tmp_path]) == 1
    assert rewritten.write(pytestconfig, [tmp_path]) == 0
    with pytest.raises(AssertionError, match="assert 1 == 2"):
        run(file)
    file.write_text("def test_sum():\n    total = 15\n    assert total == 2\n")
    assert rewritten.write(pytestconfig, [tmp_path]) == 1
    with pytest.raises(AssertionError, match="assert 15 == 2"):
        run(file)


def run(file: Path) -> None:
    """Plays the test of the bytecode that was written."""
    names: dict[str, object] = {}
    exec(marshal.loads(rewritten.bytecode_of(file).read_bytes()[16:]), names)
    test = names["test_sum"]
    assert callable(test)
    test()
