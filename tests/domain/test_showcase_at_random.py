"""Random events against a small model of the same rules."""

from hypothesis import settings

from tests.domain.showcase_model import Showcase

TestShowcaseAtRandom = Showcase.TestCase
TestShowcaseAtRandom.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
