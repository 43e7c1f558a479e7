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
