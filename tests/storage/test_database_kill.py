"""SIGKILL at any instruction: what was answered is on disk, and the file is whole."""

import contextlib
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

KILLS = 20


def test_every_receipt_of_a_killed_process_is_in_the_file(
    tmp_path: Path, project_root: Path, migrations: Path
) -> None:
    path = tmp_path / "notes.db"
    receipts: set[str] = set()
    moments = random.Random(1)
    for number in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.storage.receipts", path, migrations, str(number)],
            cwd=project_root,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        with process:
            for _ in range(moments.randint(1, 400)):
                receipts.add(process.stdout.readline().strip())
            process.kill()
            # What it had printed by then counts as well; a line cut short was printed after all.
            receipts.update(line.strip() for line in process.stdout if line.endswith("\n"))
        with contextlib.closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            kept = {text for (text,) in connection.execute("SELECT text FROM note")}
        assert receipts <= kept
    assert "" not in receipts, "a process ended by itself"
    assert len(receipts) >= KILLS


def test_a_process_killed_in_the_middle_of_a_migration_leaves_the_old_schema(
    tmp_path: Path, project_root: Path, migrations: Path
) -> None:
    path = tmp_path / "notes.db"
    program = """
import asyncio, sys
from pathlib import Path
from storage import migrate
from storage.database import Database

statements = migrate.statements

def up_to_the_last(sql):
    *first, last = statements(sql)
    yield from first
    print("half way", flush=True)
    sys.stdin.read()
    yield last

async def main():
    path, migrations = map(Path, sys.argv[1:])
    async with await Database.open(path, migrations=migrations):
        pass
    (migrations / "0002_half.sql").write_text("CREATE TABLE half (x); CREATE TABLE whole (x);")
    migrate.statements = up_to_the_last
    await Database.open(path, migrations=migrations)

asyncio.run(main())
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program, path, migrations],
        cwd=project_root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half way\n"
        process.kill()
    for kept in (path, tmp_path / "notes.db.before-0002"):
        with contextlib.closing(sqlite3.connect(kept)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            assert connection.execute(tables).fetchall() == [("note",), ("schema_migration",)]
