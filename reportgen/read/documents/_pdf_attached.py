"""Files that are attached to a PDF."""

from __future__ import annotations

from reportgen.errors import EvidenceError


def attached_file(content: bytes, name: str, path: str) -> bytes:
    """Return a file that is attached to a PDF.

    Args:
        content: The PDF.
        name: What the attached file is called.
        path: What the PDF is called, for messages.

    Raises:
        EvidenceError: The PDF cannot be read, or no such file is attached to it.
    """
    import pypdfium2 as pdfium  # type: ignore[import-untyped]

    remedy = f"name the {name} that was built beside it"
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as fault:
        raise EvidenceError(f"{path} is no PDF that can be read: {fault}", remedy=remedy) from None
    try:
        found = {
            attachment.get_name(): attachment
            for attachment in map(document.get_attachment, range(document.count_attachments()))
        }
        if name not in found:
            raise EvidenceError(
                f"no {name} is attached to {path}",
                remedy=f"{remedy}; pdflatex attaches nothing, the engine typst does",
            )
        return bytes(found[name].get_data())
    except pdfium.PdfiumError as fault:
        raise EvidenceError(
            f"what is attached to {path} cannot be read: {fault}", remedy=remedy
        ) from None
    finally:
        document.close()
