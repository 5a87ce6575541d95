from itertools import pairwise

import pytest
from fakes.manuscript_text import at, read, shown, table, table_of
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


def latex(folder, body, preamble="", **limits):
    text = (
        f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    return read(folder, "main.tex", text, **limits)


def blocks(folder, body, preamble=""):
    return shown(latex(folder, body, preamble).blocks)


def tabular(folder, rows, columns="lcc"):
    body = f"\\begin{{tabular}}{{{columns}}}\n{rows}\n\\end{{tabular}}"
    return table_of(latex(folder, body))


@pytest.mark.parametrize(("text", "seen"), ROWS["what_a_reader_sees_of_a_text"])
def test_what_a_reader_sees_of_a_text(text, seen, tmp_path):
    found = blocks(tmp_path, text)

    assert found == [("paragraph", seen)]


def test_sections_paragraphs_and_lists(tmp_path):
    body = (
        "\\section{One}\\label{a}\nText\ngoes on.\n\nNext.\n"
        "\\subsection*{Two \\texorpdfstring{$x$}{x}}\n"
        "\\begin{itemize}\n\\item first\n\\item[alpha] is 32\n"
        "\\begin{enumerate}\\item inner\\end{enumerate}\n\\end{itemize}\n"
        "After. \\par Last.\n\\paragraph{Run-in} text"
    )

    found = latex(tmp_path, body).blocks

    assert [(b.type, b.level, b.text) for b in found] == [
        ("heading", 1, "One"),
        ("paragraph", 0, "Text\ngoes on."),
        ("paragraph", 0, "Next."),
        ("heading", 2, "Two $x$"),
        ("item", 1, "first"),
        ("item", 1, "alpha: is 32"),
        ("item", 2, "inner"),
        ("paragraph", 0, "After."),
        ("paragraph", 0, "Last."),
        ("heading", 4, "Run-in"),
        ("paragraph", 0, "text"),
    ]


def test_comments_the_preamble_and_what_follows_the_end_are_gone(tmp_path):
    found = latex(
        tmp_path, "A % 99\n% 98\nB 5\\%.\n\\begin{comment}\n97\n\\end{comment}\n\\iffalse 96 \\fi"
    )

    assert shown(found.blocks) == [("paragraph", "A\nB 5%.")]


def test_a_piece_without_a_document_is_read_whole(tmp_path):
    assert shown(read(tmp_path, "a.tex", "Text 5.").blocks) == [("paragraph", "Text 5.")]


@pytest.mark.parametrize(("body", "lines"), ROWS["display_equations_keep_their_spelling"])
def test_display_equations_keep_their_spelling(body, lines, tmp_path):
    assert blocks(tmp_path, f"We get\n{body}\nwhich ends.") == [
        ("paragraph", "We get"),
        ("equation", "\n".join(lines)),
        ("paragraph", "which ends."),
    ]


def test_listings_are_code_and_drawings_are_nothing(tmp_path):
    body = (
        "\\begin{verbatim}\nlr = 5 % kept\n\\section{no}\n\\end{verbatim}\n"
        "\\begin{lstlisting}[language=Python, caption={x}]\nx = 3\n\\end{lstlisting}\n"
        "\\begin{tikzpicture}\\draw (0,0) -- (3,4);\\end{tikzpicture}"
    )

    assert blocks(tmp_path, body) == [("code", "lr = 5 % kept\n\\section{no}"), ("code", "x = 3")]


def test_the_bibliography_is_set_apart(tmp_path):
    entries = "\\bibitem[K]{a} K. He, 2016.\n\\bibitem{b} B, 2020.\n"
    body = "\\begin{thebibliography}{9}" + entries + "\\end{thebibliography}"

    assert blocks(tmp_path, body) == [("reference", "K. He, 2016."), ("reference", "B, 2020.")]


def test_footnotes_follow_their_paragraph(tmp_path):
    found = blocks(tmp_path, "Text\\footnote{Over 5 runs.\n\nSecond.} goes on.")

    assert found == [("paragraph", "Text\ngoes on."), ("paragraph", "Over 5 runs.\nSecond.")]


def test_commands_of_the_author_are_put_in(tmp_path):
    preamble = (
        "\\newcommand{\\acc}{81.6}\\newcommand{\\pms}[2]{$#1 \\pm #2$}\n\\def\\half#1{#1/2}\n"
        "\\newcommand{\\opt}[2][x]{#1=#2}\\DeclareMathOperator{\\rank}{rank}\n"
        "\\NewDocumentCommand{\\twice}{m}{#1 #1}\\let\\same\\acc\n\\renewcommand{\\section}{no}\n"
    )
    body = (
        "\\section{A}\\acc\\% \\pms{80}{1} \\half{3} \\opt{4} \\opt[y]{5} $\\rank x$ "
        "\\twice{6} \\same"
    )

    assert blocks(tmp_path, body, preamble) == [
        ("heading", "A"),
        ("paragraph", "81.6% 80 ± 1 3/2 x=4 y=5 $\\operatorname{rank} x$ 6 6 81.6"),
    ]


def test_an_argument_keeps_its_place_and_a_body_has_that_of_the_command(tmp_path):
    found = latex(
        tmp_path,
        "see \\best{79.25} and \\acc",
        "\\newcommand{\\best}[1]{\\textbf{#1}}\\newcommand{\\acc}{81.6}",
    )

    assert at(found, "79.25") == [("", 4, 11, 16)]
    assert at(found, "81.6") == [("", 4, 22, 23)]


def test_commands_that_never_end_are_cut_and_named(tmp_path):
    found = latex(tmp_path, "A \\x{3} B", "\\newcommand{\\x}[1]{\\x{#1#1}}")

    assert "too deeply or too often" in found.problems[0].message
    assert found.blocks[0].text.startswith("A")


def test_commands_that_multiply_are_cut(tmp_path):
    names = "abcdefghijkl"
    preamble = "\n".join(
        f"\\newcommand{{\\q{a}}}{{{f'{chr(92)}q{b}' * 10}}}" for a, b in pairwise(names)
    )

    found = latex(tmp_path, "A \\qa B", preamble + "\\newcommand{\\ql}{9}", expansions=2000)

    assert found.problems
    assert sum(len(b.text) for b in found.blocks) < 100_000


def test_tables_with_rules_spans_and_signs_between_columns(tmp_path):
    body = (
        "\\begin{table}[h]\\centering\n\\caption[s]{Accuracy (\\%) of \\emph{runs}.}\\label{t:1}\n"
        "\\begin{tabular}{l S[table-format=2.1] r@{\\,$\\pm$\\,}l c}\n\\toprule\n"
        "\\multirow{2}{*}{Model} & {Seed 0} & \\multicolumn{2}{c}{Mean} & Best \\\\\n"
        "\\cmidrule(lr){3-4}\n & & \\multicolumn{2}{c}{std} & \\\\ \\midrule\n"
        "\\multicolumn{5}{l}{\\textit{Pretrained}} \\\\\n"
        "\\multirow{2}{*}{A} & 80.1 & 80.63 & 0.68 & \\textbf{81.0} \\\\[2pt]\n"
        " & 79.0 & 78.1 &\n0.2 & 5\\% \\\\ \\hline\n"
        "B\\footnotemark & 70 & \\multicolumn{2}{c}{--} & \\makecell{71.2\\\\72.0} \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\\end{table}"
    )

    found = latex(tmp_path, body)
    block = table_of(found)

    assert table(block) == [
        "Model | Seed 0 | Mean | Best",
        "Model<0> |  | std | ",
        "Pretrained<4> | Pretrained<0> | Pretrained<0> | Pretrained<0>",
        "A | 80.1 | 80.63 ± 0.68 | 81.0",
        "A<0> | 79.0 | 78.1 ± 0.2 | 5%",
        "B | 70 | – | 71.2 72.0",
    ]
    assert block.head == 2
    assert block.caption == "Accuracy (%) of runs."
    assert shown(found.blocks)[0] == ("caption", "Accuracy (%) of runs.")
    assert at(found, "0.68") == [("", 12, 37, 41)]


@pytest.mark.parametrize(("rows", "heads"), ROWS["heads_stand_above_the_first_rule_inside"])
def test_heads_stand_above_the_first_rule_inside(rows, heads, tmp_path):
    assert tabular(tmp_path, rows).head == heads


def test_escaped_ampersands_and_commands_with_them_are_no_columns(tmp_path):
    block = tabular(tmp_path, "A \\& B & $\\begin{matrix}1 & 2\\end{matrix}$ & {x & y} \\\\")

    assert len(block.rows[0]) == 3
    assert block.rows[0][0].text == "A & B"


@pytest.mark.parametrize(("name", "arguments"), ROWS["tables_of_every_package_are_read"])
def test_tables_of_every_package_are_read(name, arguments, tmp_path):
    body = f"\\begin{{{name}}}{arguments}\nM & Acc & F1 \\\\\nA & 80 & 79 \\\\\n\\end{{{name}}}"

    assert table(table_of(latex(tmp_path, body))) == ["M | Acc | F1", "A | 80 | 79"]


def test_a_long_table_shows_its_heads_once_and_has_its_caption(tmp_path):
    body = (
        "\\begin{longtable}{lc}\n\\caption{Long}\\\\\nM & Acc \\\\ \\endfirsthead\n"
        "M (cont.) & Acc \\\\ \\endhead\n"
        "\\multicolumn{2}{r}{next page} \\\\ \\endfoot\n\\endlastfoot\n"
        "A & 80 \\\\\nB & 70 \\\\\n\\end{longtable}"
    )

    block = table_of(latex(tmp_path, body))

    assert table(block) == ["M | Acc", "A | 80", "B | 70"]
    assert (block.head, block.caption) == (1, "Long")


def test_captions_of_tables_side_by_side_go_to_their_own(tmp_path):
    one = (
        "\\begin{subtable}{5cm}\\begin{tabular}{lc}A & %d\\\\\\end{tabular}"
        "\\caption{of %d}\\end{subtable}\n"
    )
    body = "\\begin{table}" + one % (1, 1) + one % (2, 2) + "\\end{table}"

    found = latex(tmp_path, body).blocks

    assert [b.caption for b in found if b.type == "table"] == ["of 1", "of 2"]


def test_an_unclosed_table_is_read_as_text(tmp_path):
    found = blocks(tmp_path, "Before.\n\n\\begin{tabular}{lc} A & 80 \\\\\n\nAfter 5.")

    assert ("paragraph", "After 5.") in found


@pytest.mark.parametrize(
    "body", ["{" * 500, "}" * 500, "\\begin{a}" * 500, "\\footnote{" * 300, "$" * 501]
)
def test_what_is_never_closed_ends_with_the_report(body, tmp_path):
    latex(tmp_path, f"Text. {body}")


def test_places_point_at_the_very_characters(tmp_path):
    first = "\\textbf{best} of \\emph{seed 1}: $81.5$\\,\\% % 81.5"

    found = latex(tmp_path, first + "\n\\begin{equation}x = 1125\\end{equation}")

    assert at(found, "81.5") == [("", 4, first.index("81.5") + 1, first.index("81.5") + 5)]
    assert at(found, "seed 1") == [("", 4, first.index("seed") + 1, first.index("seed") + 7)]
    assert at(found, "1125") == [("", 5, 21, 25)]
