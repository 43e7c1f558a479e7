"""The worker: everything durable that is said to Discord, from rows that were on disk before."""
