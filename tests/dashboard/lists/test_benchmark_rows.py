"""What the benchmarks of lists fill the copy with goes into its tables as they are now."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from django.db import connection

from dashboard.access.models import Business

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from approvals_page import ROWS
from list_pages import TABLES, TABLES_OF_FEW, insert_into

# As the benchmarks fill them: 100 rows, of which some wait.
MANY = 100
STATEMENTS = {"mirror_expense": ROWS} | {table: insert_into(table) for table in TABLES | TABLES_OF_FEW}


@pytest.mark.django_db
@pytest.mark.parametrize("table", STATEMENTS)
def test_rows_of_a_benchmark_are_rows_of_the_table(table: str) -> None:
    business = Business.objects.create(slug="many", name="Many")
    with connection.cursor() as cursor:
        cursor.execute(STATEMENTS[table], {"business": business.pk, "count": MANY, "every": 50})
        cursor.execute(f"SELECT count(*) FROM {table} WHERE business_id = %s", [business.pk])
        assert cursor.fetchone() == (MANY,)
