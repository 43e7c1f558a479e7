"""Which files of a message go together."""

from domain.files import MOST_TOGETHER, bundles

MIB = 1024 * 1024


def test_small_files_go_together() -> None:
    assert bundles([MIB, 2 * MIB, 0]) == (0, 0, 0)


def test_no_files_make_no_bundle() -> None:
    assert bundles([]) == ()


def test_together_they_weigh_no_more_than_discord_takes() -> None:
    assert bundles([MOST_TOGETHER] * 3) == (0, 1, 2)
    assert bundles([6 * MIB, 4 * MIB, 1]) == (0, 0, 1)
    assert bundles([6 * MIB, 4 * MIB + 1, 6 * MIB - 1]) == (0, 1, 1)


def test_one_that_is_too_heavy_goes_alone_and_in_its_turn() -> None:
    assert bundles([MIB, 20 * MIB, MIB, MIB]) == (0, 1, 2, 2)


def test_a_bundle_has_ten_files_at_most() -> None:
    assert bundles([1] * 12) == (0,) * 10 + (1, 1)
