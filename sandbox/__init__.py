"""A loopback Discord: the wire protocol with faults on demand, and the truth of what was posted."""

from sandbox.server import Sandbox

__all__ = ["Sandbox"]
