"""The worker's jobs: each looks for one kind of due work, starts it, says when to look again."""
