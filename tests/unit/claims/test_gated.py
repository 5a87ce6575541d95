"""A gate changes how long a pattern takes, never what it finds: Python's own `re` is the oracle."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportgen.checks
import reportgen.claims
from reportgen.checking.numbers._beginnings import beginnings, fold
from reportgen.checking.numbers._gated import Gated, gated

WORDS = (
    *("the", "best", "Epoch", "of", "pre-trained", "model,", "CIFAR-10", "not", "accuracy", "at"),
    *("step", "12,500", "±", "0.5", "%", "seed", "2", "en", "moyenne", "la", "précision", "no"),
    *("s'améliore", "\u01c4", "\u017feed", "\u212a", "\ufb01ne_tuned", "x²=3", "(±1)", "3e-4"),
    *("\\times", "vs.", "p", "<", "0.05", "Q,", "K:", "ffn", "|", "plus", "haute", "lr=1"),
)
BETWEEN = st.sampled_from([" ", "  ", "\n", "_", "-", ""])
# Words of reports in any order, with signs and letters from anywhere between them.
PARTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), min_size=1, max_size=12)
TEXTS = st.builds(lambda between, parts: between.join(parts), BETWEEN, PARTS)


def all_gated() -> list[Gated]:
    """Return every gated pattern of the two packages."""
    found: dict[tuple[str, int], Gated] = {}
    for package in (reportgen.claims, reportgen.checks):
        for module in iter_modules(package.__path__):
            for value in vars(import_module(f"{package.__name__}.{module.name}")).values():
                for inner in _within(value):
                    found[inner.pattern, inner.compiled.flags] = inner
    return list(found.values())


def _within(value: object) -> list[Gated]:
    if isinstance(value, Gated):
        return [value]
    if isinstance(value, dict):
        return [one for inner in value.values() for one in _within(inner)]
    if isinstance(value, (tuple, list)):
        return [one for inner in value for one in _within(inner)]
    return []


PATTERNS = all_gated()


def same(pattern: Gated, text: str) -> bool:
    """Say whether a gated pattern finds in a text what `re` finds."""
    spans = [match.span() for match in pattern.finditer(text)]
    first = pattern.search(text)
    return spans == [m.span() for m in pattern.compiled.finditer(text)] and (
        (first.span() if first else None) == next(iter(spans), None)
    )


def test_many_patterns_have_a_gate() -> None:
    assert len(PATTERNS) > 150


@settings(max_examples=60)
@given(TEXTS)
def test_every_gated_pattern_finds_what_re_finds(text: str) -> None:
    assert [p.pattern for p in PATTERNS if not same(p, text)] == []


def test_every_gated_pattern_finds_the_same_in_the_handbook(project: Path) -> None:
    blocks = [
        block
        for page in sorted((project / "docs").rglob("*.md"))
        for block in page.read_text(encoding="utf-8").split("\n\n")[:8]
    ]
    assert len(blocks) > 100
    assert [p.pattern for p in PATTERNS if not all(same(p, block) for block in blocks)] == []


@given(TEXTS, st.integers(0, 60), st.integers(0, 60))
def test_a_part_of_a_text_is_searched_as_re_searches_it(text: str, start: int, end: int) -> None:
    for written in (r"\b(?:seed|step)\s?\d", r"(?<![^\W_])(?:best|model)\b", r"%|\bno\b", r"±\d"):
        pattern = gated(written, re.IGNORECASE)
        assert isinstance(pattern, Gated)
        spans = [match.span() for match in pattern.finditer(text, start, end)]
        assert spans == [m.span() for m in pattern.compiled.finditer(text, start, end)]


@pytest.mark.parametrize(
    "written",
    [
        r"\w+ed\b",
        r".{1,9}=",
        r"(?:best)?\s*",
        r"",
        r"[^a]b",
        r"(a)?\1",
        r"(?>best|be)st",
        r"(?:[ab]|\W)c",
    ],
)
def test_a_pattern_that_may_begin_with_anything_has_no_gate(written: str) -> None:
    assert beginnings(written) is None
    assert isinstance(gated(written), re.Pattern)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"(?:no|note)s?\b", "note no nos"),
        (r"(?:a[bc]){2,3}d", "abacd ababd"),
        (r"(?i:seed)\s\d{2,}", "\u017feed 12"),
        (r"(?P<n>xy)?zt(?(n)a|b)", "xyzta ztb"),
        (r"(?:pré|pre)-?\d", "pré-٣"),
        ("%|\\bper\\scent", "5 % per\u00a0cent"),
    ],
)
def test_odd_nodes_are_read_or_given_up(written: str, text: str) -> None:
    pattern = gated(written, re.IGNORECASE)
    assert isinstance(pattern, Gated)
    assert same(pattern, text)
    assert next(pattern.finditer(text), None) is not None


def test_letters_that_a_pattern_takes_for_one_another_fold_to_one() -> None:
    everything = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    text = "".join(everything)
    assert len(fold(text)) == len(text)
    for letter in "abcdefghijklmnopqrstuvwxyzéàçèêîôûùïëœßµ±%αβγδσθλω":
        for found in re.findall(re.escape(letter), text, re.IGNORECASE):
            assert fold(found) == fold(letter), (letter, found)
    assert {fold(found) for found in re.findall(r"\d", text)} == {"0"}
    assert {fold(found) for found in re.findall(r"\s", text)} == {" "}


def test_what_is_replaced_and_split_is_what_re_replaces_and_splits() -> None:
    pattern = gated(r"\b(?:and|et)\b", re.IGNORECASE)
    assert isinstance(pattern, Gated)
    for text in ("one and two et three", "nothing here", "AND"):
        assert pattern.sub("&", text) == pattern.compiled.sub("&", text)
        assert pattern.split(text) == pattern.compiled.split(text)
        assert pattern.findall(text) == pattern.compiled.findall(text)
        assert bool(pattern.match(text)) == bool(pattern.compiled.match(text))
        assert bool(pattern.fullmatch(text)) == bool(pattern.compiled.fullmatch(text))
