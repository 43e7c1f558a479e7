"""Discord's side: commands and buttons in, receipts out. No SQL and no rules."""
