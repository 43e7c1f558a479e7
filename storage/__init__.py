"""The ledger: one module a table family, SQL and nothing else."""
