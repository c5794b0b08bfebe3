"""Jobs are asked for by name, and a name that no worker knows would be dropped without a word."""

import ast

from celery import current_app

import config.celery  # noqa: F401
from tests.house.sources import nodes_of, python_files, tree_of


def test_every_name_is_that_of_a_job() -> None:
    current_app.loader.import_default_modules()
    names = {
        node.args[0].value
        for file in python_files("dashboard")
        for node in nodes_of(tree_of(file))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("enqueue_on_commit")
        if isinstance(node.args[0], ast.Constant)
    }
    assert len(names) > 1
    assert names <= set(current_app.tasks)
