"""Use cases, one module a subject. A use case is one transaction."""
