"""Numbers of LaTeX sources carry their ids."""

import re

from fakes.sample_report import make_report

from reportgen.records.document import EquationGroup, numbers, walk
from reportgen.render import RenderContext, anchor_of, render

_OWN = r"""\documentclass{article}
\begin{document}
<%= body %>
\end{document}
"""


def source(figures, **context):
    report = make_report()
    files = render(report, "latex", figures, RenderContext(**context))
    return report, files["report.tex"].decode()


def test_every_number_of_the_document_is_named(figures):
    report, text = source(figures)
    found = re.findall(r"\\rgnum\{([^{}]*)\}\{", text)
    named = {anchor_of(number.id) for number in numbers(report)}
    groups = [b for b in walk(report.sections) if isinstance(b, EquationGroup)]
    shown = {anchor_of(equation.id) for group in groups for equation in group.equations}
    assert named | shown <= set(found)
    # The other numbers of an equation carry its id and a key of theirs.
    assert {name.rpartition(".")[0] for name in set(found) - named - shown} <= shown


def test_a_template_without_the_command_gets_it(figures, tmp_path):
    (tmp_path / "latex").mkdir()
    (tmp_path / "latex" / "report.j2").write_text(_OWN, encoding="utf-8")
    _, text = source(figures, template_dirs=(tmp_path,))
    assert text.startswith(r"\providecommand{\rgnum}[2]{#2}" + "\n\\documentclass")


def test_the_packaged_template_defines_it_once(figures):
    _, text = source(figures)
    assert text.count(r"\providecommand{\rgnum}") == 1
    assert text.startswith(r"\documentclass")
