"""A process to be killed: writes notes for ever and prints the id of each once it is committed."""

import asyncio
import sys
from itertools import count
from pathlib import Path

from storage.database import Connection, Database

TASKS = 16


async def main(path: Path, migrations: Path, name: str) -> None:
    """Write from several tasks at once, so that commits are shared."""
    numbers = count()

    async def work(database: Database) -> None:
        for number in numbers:
            text = f"{name}:{number}"

            def insert(connection: Connection, text: str = text) -> None:
                connection.execute("INSERT INTO note (text) VALUES (?)", (text,))

            await database.write(insert)
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    async with await Database.open(path, migrations=migrations) as database:
        await asyncio.gather(*(work(database) for _ in range(TASKS)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
