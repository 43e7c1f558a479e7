"""Which files of a message go together."""

import pytest

from domain.files import MOST_TOGETHER, bundles, is_program

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


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("boat.png", False),
        ("exe", False),
        ("setup.exe", True),
        ("SETUP.EXE", True),
        ("holiday.jpg.scr", True),
        ("setup.exe. .", True),
        ("report.html", False),
        ("", False),
    ],
)
def test_a_program_is_known_by_what_it_is_opened_by(name: str, runs: bool) -> None:
    assert is_program(name) == runs
