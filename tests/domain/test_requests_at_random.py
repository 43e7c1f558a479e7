"""Random events against a small model of the same rules."""

from hypothesis import settings

from tests.domain.requests_model import Requests

TestRequestsAtRandom = Requests.TestCase
TestRequestsAtRandom.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
