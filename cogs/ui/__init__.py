"""What the cogs share to answer people: one way to answer, one way to read what was pressed."""
