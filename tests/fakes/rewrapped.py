"""Markdown with its lines broken anew, as an editor fills paragraphs."""

_WHOLE = ("#", "|", "!", "<", "    ", "[")


def rewrapped(text: str, width: int) -> str:
    """Return a text whose paragraphs and items have lines of at most so many characters.

    Only blanks are broken. Tables, headings, figures, code, formulas and front matter stay.
    """
    out: list[str] = []
    fenced = front = False
    for number, line in enumerate(text.split("\n")):
        if line.startswith(("```", "$$")):
            fenced = not fenced
        rule = line.strip() == "---" and (number == 0 or front)
        front = front != rule
        if rule or fenced or front or line.startswith((*_WHOLE, "$$")) or not line.strip():
            out.append(line)
        else:
            out += _filled(line, width)
    return "\n".join(out)


def _filled(line: str, width: int) -> list[str]:
    inset = "  " if line.startswith(("- ", "* ")) else ""
    lines: list[str] = []
    for word in line.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(inset + word if lines else word)
    return lines
