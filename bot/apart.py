"""Work done in a child process, so that the modules it needs don't stay in this one."""

import os
import pickle
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def apart(work: Callable[[], T]) -> T:
    """Call `work` in a forked child; return what it returns, raise what it raises.

    Either must be picklable. To be called before there are threads: a fork has only the one that
    made it. Where nothing can be forked, `work` is called here.
    """
    if not hasattr(os, "fork"):
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError(f"a child process ended with {os.waitstatus_to_exitcode(status)}")
    value, error = pickle.loads(said)  # noqa: S301 - our own child's words
    if error is not None:
        raise error
    answer: T = value
    return answer


def _answer(work: Callable[[], object], writing: int) -> None:
    """Write down what `work` returns or raises, and end this process without any clean-up.

    What is buffered or registered here is the parent's, to be written or undone once.
    """
    try:
        outcome: tuple[object, Exception | None]
        try:
            outcome = (work(), None)
        except Exception as error:  # noqa: BLE001 - it is raised in the parent
            outcome = (None, error)
        said = pickle.dumps(outcome)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(said)
        os._exit(0)
    finally:
        os._exit(1)
