"""Opening: whose file it is, how old its schema is, and what is done about it."""

import asyncio
import contextlib
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from storage import migrate
from storage.database import Connection, Database
from storage.errors import (
    DatabaseChanged,
    DatabaseMissing,
    DatabaseNewer,
    DatabaseOlder,
    DatabaseReadOnly,
    NotADatabase,
)

REAL_MIGRATIONS = sorted(Path(migrate.__file__).parent.glob("migrations/*.sql"))

Schema = list[tuple[str, str, str]]


def schema(connection: Connection) -> Schema:
    return connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    ).fetchall()


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def names_of(folder: Path, pattern: str) -> list[str]:
    return sorted(path.name for path in folder.glob(pattern))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def add_migration(migrations: Path, name: str, sql: str) -> None:
    (migrations / name).write_text(sql)


async def open_and_close(path: Path, migrations: Path) -> None:
    async with await Database.open(path, migrations=migrations):
        pass


async def test_a_new_file_is_its_owners_alone(tmp_path: Path, migrations: Path) -> None:
    async with await Database.open(tmp_path / "new.db", migrations=migrations):
        modes = {name: mode(tmp_path / name) for name in names_of(tmp_path, "new*")}
    assert modes == {"new.db": 0o600, "new.db-wal": 0o600, "new.db-shm": 0o600}


async def test_an_empty_file_is_as_good_as_none(tmp_path: Path, migrations: Path) -> None:
    (tmp_path / "empty.db").touch()
    async with await Database.open(tmp_path / "empty.db", migrations=migrations) as database:
        assert len(await database.read(schema)) == 2


async def test_a_path_may_hold_any_character(tmp_path: Path, migrations: Path) -> None:
    path = tmp_path / "what? 100% #1 ä.db"
    await open_and_close(path, migrations)
    assert query(path, "SELECT count(*) FROM note") == [(0,)]


@pytest.mark.parametrize(
    ("durability", "synchronous"), [("full", 2), ("normal", 1)], ids=["full", "normal"]
)
async def test_the_connection_is_set_up_for_its_promises(
    tmp_path: Path, migrations: Path, durability: str, synchronous: int
) -> None:
    def settings(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "trusted_schema", "busy_timeout")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    async with await Database.open(
        tmp_path / "a.db",
        migrations=migrations,
        durability="full" if durability == "full" else "normal",
    ) as database:
        assert await database.write(settings) == ["wal", synchronous, 1, 0, 5_000]


async def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 1_000)
    before = path.read_bytes()
    with pytest.raises(NotADatabase, match=r"letter\.txt is not a SQLite database"):
        await Database.open(path, migrations=migrations)
    assert path.read_bytes() == before


@pytest.mark.parametrize("application_id", [0, 1234])
async def test_another_programs_database_is_refused_and_left_alone(
    tmp_path: Path, migrations: Path, application_id: int
) -> None:
    path = tmp_path / "theirs.db"
    query(path, "CREATE TABLE theirs (x)")
    query(path, f"PRAGMA application_id = {application_id}")
    before = path.read_bytes()
    with pytest.raises(NotADatabase, match=r"theirs\.db is another program's"):
        await Database.open(path, migrations=migrations)
    assert path.read_bytes() == before
    assert names_of(tmp_path, "theirs*") == ["theirs.db"]


async def test_a_folder_that_is_not_there_is_said_to_be_missing(
    tmp_path: Path, migrations: Path
) -> None:
    with pytest.raises(DatabaseMissing, match=r"The folder of .*a\.db does not exist"):
        await Database.open(tmp_path / "nowhere" / "a.db", migrations=migrations)


async def test_a_folder_in_the_files_place_is_refused(tmp_path: Path, migrations: Path) -> None:
    with pytest.raises(NotADatabase, match="is a folder"):
        await Database.open(tmp_path, migrations=migrations)


@pytest.mark.parametrize("read_only", [True, False])
async def test_a_way_of_opening_that_makes_nothing_needs_a_file_that_is_up_to_date(
    tmp_path: Path, migrations: Path, read_only: bool
) -> None:
    path = tmp_path / "a.db"

    async def open_existing() -> Database:
        return await Database.open(
            path, migrations=migrations, read_only=read_only, migrate=read_only
        )

    with pytest.raises(DatabaseMissing, match=r"a\.db does not exist"):
        await open_existing()
    assert not path.exists()
    await open_and_close(path, migrations)
    async with await open_existing() as database:
        assert len(await database.read(schema)) == 2
    add_migration(migrations, "0002_more.sql", "CREATE TABLE more (id INTEGER PRIMARY KEY);")
    with pytest.raises(DatabaseOlder, match=r"a\.db has an older schema"):
        await open_existing()


async def test_a_ledger_opened_for_reading_sees_what_its_writer_commits(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "a.db"
    insert = "INSERT INTO note (text) VALUES ('one')"
    async with (
        await Database.open(path, migrations=migrations) as writing,
        await Database.open(path, migrations=migrations, read_only=True) as reading,
    ):
        await writing.write(lambda connection: connection.execute(insert).rowcount)
        with pytest.raises(DatabaseReadOnly, match="opened for reading"):
            await reading.write(schema)
        count = "SELECT count(*) FROM note"
        assert await reading.read(lambda c: c.execute(count).fetchone()) == (1,)


async def test_a_newer_schema_is_refused(tmp_path: Path, migrations: Path) -> None:
    path = tmp_path / "a.db"
    add_migration(migrations, "0002_more.sql", "CREATE TABLE more (id INTEGER PRIMARY KEY);")
    await open_and_close(path, migrations)
    (migrations / "0002_more.sql").unlink()
    for read_only in (False, True):
        with pytest.raises(DatabaseNewer, match="its schema is 2, this program knows 1"):
            await Database.open(path, migrations=migrations, read_only=read_only)


async def test_a_migration_edited_after_it_was_applied_is_refused(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "a.db"
    await open_and_close(path, migrations)
    first = migrations / "0001_notes.sql"
    first.write_text(first.read_text() + "-- a harmless word\n")
    with pytest.raises(DatabaseChanged, match=r"0001_notes\.sql"):
        await Database.open(path, migrations=migrations)


async def test_line_ends_are_not_an_edit(tmp_path: Path, migrations: Path) -> None:
    await open_and_close(tmp_path / "a.db", migrations)
    first = migrations / "0001_notes.sql"
    first.write_bytes(first.read_bytes().replace(b"\n", b"\r\n"))
    await open_and_close(tmp_path / "a.db", migrations)
    assert query(tmp_path / "a.db", "SELECT number FROM schema_migration") == [(1,)]


async def test_migrations_are_applied_in_order_once_and_recorded(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "a.db"
    add_migration(migrations, "0002_more.sql", "ALTER TABLE note ADD COLUMN more TEXT;")
    add_migration(migrations, "0003_most.sql", "INSERT INTO note (text, more) VALUES ('a', 'b');")
    for _ in range(2):
        await open_and_close(path, migrations)
    assert query(path, "SELECT text, more FROM note") == [("a", "b")]
    recorded = query(path, "SELECT number, name, length(sha256) FROM schema_migration")
    assert recorded == [(1, "notes", 64), (2, "more", 64), (3, "most", 64)]
    assert names_of(tmp_path, "a.db.*") == []


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        ("CREATE TABLE half (x); INSERT INTO half VALUES (1); SELECT nonsense;", sqlite3.Error),
        ("CREATE TABLE half (x); COMMIT; CREATE TABLE other (x);", RuntimeError),
        ("CREATE TABLE half (x); CREATE TABLE unfinished (", sqlite3.Error),
        ("INSERT INTO note (text, parent) VALUES ('a', 77);", sqlite3.IntegrityError),
    ],
    ids=["fails", "commits", "is unfinished", "breaks references"],
)
async def test_a_migration_that_fails_leaves_the_old_schema_and_a_copy(
    tmp_path: Path, migrations: Path, broken: str, error: type[Exception]
) -> None:
    path = tmp_path / "a.db"
    async with await Database.open(path, migrations=migrations) as database:
        before = await database.read(schema)
    add_migration(migrations, "0002_broken.sql", broken)
    with pytest.raises(error):
        await Database.open(path, migrations=migrations)
    (migrations / "0002_broken.sql").unlink()
    for kept in (path, tmp_path / "a.db.before-0002"):
        async with await Database.open(kept, migrations=migrations) as database:
            assert await database.read(schema) == before
            assert await database.read(lambda c: c.execute("SELECT * FROM note").fetchall()) == []
    add_migration(migrations, "0002_mended.sql", "CREATE TABLE mended (id INTEGER PRIMARY KEY);")
    await open_and_close(path, migrations)


async def test_before_the_first_change_to_a_schema_the_file_is_copied_once(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "a.db"
    await open_and_close(path, migrations)
    assert names_of(tmp_path, "a.db.*") == []
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO note (text) VALUES ('kept')")
        connection.commit()
    add_migration(migrations, "0002_drop.sql", "DELETE FROM note;")
    add_migration(migrations, "0003_more.sql", "CREATE TABLE more (id INTEGER PRIMARY KEY);")
    await open_and_close(path, migrations)
    copy = tmp_path / "a.db.before-0002"
    assert names_of(tmp_path, "a.db.*") == [copy.name]
    assert mode(copy) == 0o600
    assert query(copy, "SELECT text FROM note") == [("kept",)]
    assert query(copy, "SELECT max(number) FROM schema_migration") == [(1,)]
    assert query(path, "SELECT text FROM note") == []


async def test_a_table_that_others_refer_to_can_be_rebuilt(
    tmp_path: Path, migrations: Path
) -> None:
    path = tmp_path / "a.db"
    await open_and_close(path, migrations)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO note (id, text, parent) VALUES (1, 'a', 1), (2, 'b', 1)")
        connection.commit()
    add_migration(
        migrations,
        "0002_rebuild.sql",
        """
        CREATE TABLE rebuilt (
          id INTEGER PRIMARY KEY, text TEXT NOT NULL, parent INTEGER REFERENCES note (id)
        ) STRICT;
        INSERT INTO rebuilt SELECT id, text, parent FROM note;
        DROP TABLE note;
        ALTER TABLE rebuilt RENAME TO note;
        """,
    )
    async with await Database.open(path, migrations=migrations) as database:
        notes = "SELECT id, parent FROM note"
        assert await database.read(lambda c: c.execute(notes).fetchall()) == [(1, 1), (2, 1)]
        with pytest.raises(sqlite3.IntegrityError):
            await database.write(lambda c: c.execute("DELETE FROM note WHERE id = 1").rowcount)


@pytest.mark.parametrize("existing", [False, True])
def test_processes_that_open_at_once_migrate_once(
    tmp_path: Path, project_root: Path, migrations: Path, existing: bool
) -> None:
    path = tmp_path / "a.db"
    if existing:
        asyncio.run(open_and_close(path, migrations))
    add_migration(migrations, "0002_row.sql", "INSERT INTO note (text) VALUES ('once');")
    program = """
import asyncio, sys
from pathlib import Path
from storage.database import Database

async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    async with await Database.open(Path(sys.argv[1]), migrations=Path(sys.argv[2])):
        pass

asyncio.run(main())
"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, path, migrations],
            cwd=project_root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=30)[1] for process in processes]
    assert errors == [""] * 4
    assert query(path, "SELECT number FROM schema_migration") == [(1,), (2,)]
    if existing:
        copy = tmp_path / "a.db.before-0002"
        assert query(copy, "SELECT number FROM schema_migration") == [(1,)]


async def test_the_schema_grown_step_by_step_is_the_one_made_at_once(tmp_path: Path) -> None:
    steps = tmp_path / "steps"
    steps.mkdir()
    for source in REAL_MIGRATIONS:
        shutil.copy(source, steps)
        await open_and_close(tmp_path / "grown.db", steps)
    async with (
        await Database.open(tmp_path / "fresh.db") as fresh,
        await Database.open(tmp_path / "grown.db") as grown,
    ):
        assert await grown.read(schema) == await fresh.read(schema)
        assert len(await fresh.read(schema)) > 2


@pytest.mark.parametrize("names", [["0002_b.sql"], ["0001_a.sql", "0001_b.sql"], ["1_a.sql"]])
def test_migrations_that_are_not_numbered_in_a_row_are_refused(
    tmp_path: Path, names: list[str]
) -> None:
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(ValueError, match=r"number|named"):
        migrate.load(tmp_path)


def test_a_script_is_split_at_the_ends_of_its_statements() -> None:
    first = "CREATE TABLE a (x TEXT DEFAULT ';' /* ; */);"
    trigger = (
        "\n-- It's; counted\nCREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT 2; END;"
    )
    last = " SELECT 'unfinished'"
    assert list(migrate.statements(first + trigger + last)) == [first, trigger, last]
    assert list(migrate.statements(first + "\n")) == [first]
