"""Postings per second of the ledger's function, against the least that any ledger function must do.

The reference is one SQL function: a unique key, two balances updated in the order of their ids, two entries with the
balance after. Both are driven by pgbench, prepared, at 8 connections, in turn.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile

import psycopg
from measure import ROOT, House, house, in_turn, report

ACCOUNTS = 1000
SECONDS = 6
REFERENCE = """
CREATE SCHEMA reference;
CREATE TABLE reference.balance (id bigint PRIMARY KEY, posted bigint NOT NULL, seq bigint NOT NULL DEFAULT 0)
    WITH (fillfactor = 50);
CREATE TABLE reference.transaction (id bigserial PRIMARY KEY, ref text NOT NULL UNIQUE, at timestamptz DEFAULT now());
CREATE TABLE reference.entry (account bigint, seq bigint, transaction bigint NOT NULL, amount bigint NOT NULL,
    balance_after bigint NOT NULL, PRIMARY KEY (account, seq));
CREATE INDEX ON reference.entry (transaction);
CREATE FUNCTION reference.post(p_ref text, p_from bigint, p_to bigint, p_amount bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE t bigint; a bigint; b bigint; sa bigint; sb bigint; aa bigint; ab bigint;
BEGIN
    INSERT INTO reference.transaction (ref) VALUES (p_ref) ON CONFLICT (ref) DO NOTHING RETURNING id INTO t;
    IF t IS NULL THEN
        SELECT id INTO t FROM reference.transaction WHERE ref = p_ref;
        RETURN t;
    END IF;
    a := least(p_from, p_to); b := greatest(p_from, p_to);
    UPDATE reference.balance SET posted = posted + CASE WHEN a = p_from THEN -p_amount ELSE p_amount END, seq = seq + 1
        WHERE id = a RETURNING posted, seq INTO aa, sa;
    UPDATE reference.balance SET posted = posted + CASE WHEN b = p_from THEN -p_amount ELSE p_amount END, seq = seq + 1
        WHERE id = b RETURNING posted, seq INTO ab, sb;
    INSERT INTO reference.entry VALUES
        (a, sa, t, CASE WHEN a = p_from THEN -p_amount ELSE p_amount END, aa),
        (b, sb, t, CASE WHEN b = p_from THEN -p_amount ELSE p_amount END, ab);
    RETURN t;
END $$;
GRANT USAGE ON SCHEMA reference TO service_app;
GRANT ALL ON ALL TABLES IN SCHEMA reference TO service_app;
GRANT ALL ON ALL SEQUENCES IN SCHEMA reference TO service_app;
"""


def prepare(made: House) -> tuple[str, int]:
    """A business with its accounts in the real ledger, and as many in the reference; the id of the first account."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("service_owner", "service"), autocommit=True) as owner:
        owner.execute(REFERENCE)
        owner.execute(
            "INSERT INTO reference.balance SELECT n, 1000000000000 FROM generate_series(1, %s) n", [ACCOUNTS + 1]
        )
    code = f"""
from service.businesses.models import Business
from service.ledger.chart import open_account
business = Business.objects.create(name="Benchmark", country="KE")
accounts = [open_account(business, "WALLET", "KES", "bench", str(n), allow_negative=True).pk for n in range({ACCOUNTS + 1})]
assert accounts == list(range(accounts[0], accounts[0] + len(accounts)))
print(business.pk, accounts[0])
"""
    command = [sys.executable, "manage.py", "service", "shell", "--no-imports", "-c", code]
    out = subprocess.run(command, env=made.program_env("service"), capture_output=True, text=True, check=True).stdout
    business, first = out.split()[-2:]
    return business, int(first)


def scripts(business: str, first: int, *, hot: bool) -> tuple[str, str]:
    """pgbench scripts for ours and the reference: random pairs, or always from one account."""

    def pair(base: int) -> str:
        source = str(base) if hot else f"random({base}, {base + ACCOUNTS - 1})"
        # Never twice the same account: the second lies a random way further round.
        return (
            f"\\set a {source}\n\\set d random(1, {ACCOUNTS - 1})\n\\set b {base} + ((:a - {base} + :d) % {ACCOUNTS})\n"
        )

    key = "\\set k random(1, 9000000000000000000)\n"
    ours = (
        key
        + pair(first)
        + (
            f"SELECT ledger_post('{business}', 'b-' || :k, 'TRANSFER', ARRAY[:a, :b]::bigint[], ARRAY[-1, 1]::bigint[],"
            " '', NULL, NULL, NULL, false, false, NULL);\n"
        )
    )
    reference = key + pair(1) + "SELECT reference.post('b-' || :k, :a, :b, 1);\n"
    return ours, reference


def per_second(made: House, script: str) -> float:
    """Transactions per second of a script at 8 connections."""
    assert made.postgres is not None
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        command = [
            str(made.postgres.programs / "pgbench"), "-n", "-M", "prepared", "-c", "8", "-j", "2", "-T", str(SECONDS),
            "-f", file.name, "-h", str(made.postgres.run), "-U", "service_app", "service",
        ]  # fmt: skip
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "number of failed transactions: 0" in out, out
    return float(re.search(r"tps = ([\d.]+)", out).group(1))  # type: ignore[union-attr]


def main() -> int:
    with house("service") as made:
        business, first = prepare(made)
        good = True
        for hot, name in ((False, "random accounts"), (True, "one hot account")):
            ours, reference = scripts(business, first, hot=hot)
            per_second(made, ours), per_second(made, reference)
            speeds: list[float] = []

            def one(script: str = ours, kept: list[float] = speeds) -> float:
                kept.append(per_second(made, script))
                return kept[-1]

            def other(script: str = reference) -> float:
                return per_second(made, script)

            ratio = in_turn(one, other)
            print(f"ledger_post, {name}: {max(speeds):,.0f} postings a second at best")
            good &= report(f"ledger function / minimal reference, {name}", ratio, 0.8, at_most=False)
        good &= holds(made)
    return 0 if good else 1


def holds(made: House) -> bool:
    """Whether every invariant holds after all that; sealed first, as the worker would, since none runs here."""
    seal = "from service.ledger.seals import seal, waiting\nwhile seal() or waiting(): pass"
    for command in (["shell", "--no-imports", "-c", seal], ["check_ledger"]):
        done = subprocess.run(
            [sys.executable, "manage.py", "service", *command], env=made.program_env("service"), cwd=ROOT, check=False
        )
        if done.returncode:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
