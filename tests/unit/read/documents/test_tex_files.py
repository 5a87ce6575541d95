import pytest
from fakes.manuscript_text import at, read, shown
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)
FRAME = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"


@pytest.mark.parametrize(
    "command",
    ["\\input{sec/two}", "\\input sec/two.tex", "\\include{sec/two}", "\\import{sec/}{two}"],
)
def test_files_are_followed_and_named(command, tmp_path):
    (tmp_path / "sec").mkdir()
    (tmp_path / "sec" / "two.tex").write_text("% head\nAccuracy 79.5\n")
    found = read(tmp_path, "main.tex", FRAME % f"One.\n\n{command}\n\nThree.")
    assert [text for _, text in shown(found.blocks)] == ["One.", "Accuracy 79.5", "Three."]
    assert at(found, "79.5") == [("sec/two.tex", 2, 10, 14)]
    assert found.problems == ()


def test_rows_of_a_table_may_lie_in_a_file(tmp_path):
    (tmp_path / "rows.tex").write_text("A & 80 \\\\\nB & 70 \\\\\n")
    body = "\\begin{tabular}{lc}\nM & Acc \\\\\n\\input{rows}\n\\end{tabular}"
    assert shown(read(tmp_path, "main.tex", FRAME % body).blocks) == [
        ("table", "M | Acc\nA | 80\nB | 70")
    ]


def test_a_chapter_with_a_preamble_of_its_own_is_read_without_it(tmp_path):
    (tmp_path / "two.tex").write_text(FRAME % "Inside." + "after")
    found = read(tmp_path, "main.tex", FRAME % "\\subfile{two}\n\nBehind.")
    assert shown(found.blocks) == [("paragraph", "Inside."), ("paragraph", "Behind.")]


@pytest.mark.parametrize("wanted", ["../secret", "/etc/hostname", "sec/../../secret", "link"])
def test_nothing_above_the_reports_folder_is_read(wanted, tmp_path):
    (tmp_path / "secret.tex").write_text("password 12345")
    folder = tmp_path / "lab"
    (folder / "sec").mkdir(parents=True)
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    found = read(folder, "main.tex", FRAME % f"One.\n\n\\input{{{wanted}}}\n")
    assert shown(found.blocks) == [("paragraph", "One.")]
    assert "lies outside the report's folder" in found.problems[0].message


def test_circles_are_cut_and_named(tmp_path):
    (tmp_path / "a.tex").write_text("A 1.\n\n\\input{b}\n")
    (tmp_path / "b.tex").write_text("B 2.\n\n\\input{a}\n\\input{main}\n")
    found = read(tmp_path, "main.tex", FRAME % "\\input{a}")
    assert shown(found.blocks) == [("paragraph", "A 1."), ("paragraph", "B 2.")]
    assert [p.message.count("brings in itself") for p in found.problems] == [1, 1]
    assert {p.path for p in found.problems} == {"b.tex"}


def test_a_missing_file_is_named_where_it_is_missed(tmp_path):
    found = read(tmp_path, "main.tex", "\\input{macros}\n" + FRAME % "\\input{two}\nText.")
    assert [(p.level, "was not found" in p.message) for p in found.problems] == [
        ("note", True),
        ("warning", True),
    ]
    assert "line 4 brings in 'two'" in found.problems[1].message


def test_too_many_files_and_too_deep_ones_are_named(tmp_path):
    for i in range(12):
        (tmp_path / f"n{i}.tex").write_text(f"Level {i}.\n\n\\input{{n{i + 1}}}\n")
    deep = read(tmp_path, "main.tex", FRAME % "\\input{n0}", depth=3)
    many = read(tmp_path, "main.tex", FRAME % ("\\input{n11}\n" * 9), includes=4)
    assert len(deep.blocks) == 3
    assert "lies too deep" in deep.problems[0].message
    assert [p for p in many.problems if "one of too many" in p.message]


def test_a_report_that_grows_too_long_is_cut_and_named(tmp_path):
    (tmp_path / "two.tex").write_text("word \n" * 200)
    found = read(tmp_path, "main.tex", FRAME % ("\\input{two}\n" * 20), characters=2000)
    assert sum(len(block.text) for block in found.blocks) < 4000
    assert len([p for p in found.problems if "longer than what is read" in p.message]) == 1


@pytest.mark.parametrize(("text", "left"), ROWS["a_comment_is_cut_off"])
def test_a_comment_is_cut_off(text, left, tmp_path):
    assert shown(read(tmp_path, "main.tex", FRAME % text).blocks) == [("paragraph", left)]
