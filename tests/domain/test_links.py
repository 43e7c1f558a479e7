"""Which links are taken, and which host is shown for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Refused
from domain.links import LINK_LIMIT, checked_link, host_of


@pytest.mark.parametrize(
    ("typed", "kept", "host"),
    [
        ("https://example.org/a", "https://example.org/a", "example.org"),
        (" http://Example.ORG ", "http://example.org", "example.org"),
        ("HTTPS://example.org:8443/a?b=c#d", "https://example.org:8443/a?b=c#d", "example.org"),
        ("https://example.org/a(b)[c]", "https://example.org/a%28b%29%5Bc%5D", "example.org"),
        ("https://example.org/<b>", "https://example.org/%3Cb%3E", "example.org"),
        ("https://example.org/%20", "https://example.org/%20", "example.org"),
        ("https://example.org/ü", "https://example.org/%C3%BC", "example.org"),
        ("https://exämple.org/", "https://xn--exmple-cua.org/", "xn--exmple-cua.org"),
        ("https://g\u043e\u043egle.com", "https://xn--ggle-55da.com", "xn--ggle-55da.com"),
        ("https://[2001:db8::1]/a", "https://[2001:db8::1]/a", "2001:db8::1"),
        ("https://example.org/@me", "https://example.org/@me", "example.org"),
        ("https://example.org?https://example.org", None, "example.org"),
    ],
)
def test_a_link_is_kept_so_that_it_can_be_shown(typed: str, kept: str | None, host: str) -> None:
    checked = checked_link(typed)
    assert checked == (kept or typed)
    assert host_of(checked) == host
    assert checked_link(checked) == checked


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "example.org",
        "ftp://example.org",
        "javascript:alert(1)",
        "data:text/html,x",
        "//example.org",
        "https:///path",
        "https://",
        "https://localhost/",
        "https://user@example.org",
        "https://user:secret@example.org",
        "https://@example.org",
        "https://good.example\\@bad.example",
        "https://good.example\\.bad.example/",
        "https://exa mple.org",
        "https://example.org/a b",
        "https://example.org/\n# x",
        "https://example.org\t.bad.example",
        "https://example.org/\x00",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://[::1",
        "https://exa<mple.org",
        "https://..org",
        "https://" + "a" * 64 + ".org",
        "https://example.org/" + "a" * LINK_LIMIT,
        "https://example.org/" + "ü" * 100,
    ],
)
def test_what_is_no_link_to_a_page_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="invalid_url"):
        checked_link(typed)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_whatever_follows_the_host_it_stays_the_host(rest: str) -> None:
    try:
        checked = checked_link("https://example.org/" + rest)
    except Refused:
        return
    assert host_of(checked) == "example.org"
    assert not set(checked) & set('<>()[]"` \n\\')
    assert checked.isascii()
