"""PDF/A and PDF/UA, judged by another program: page-validation, which passes veraPDF's corpus."""

import page


def faults(pdf: bytes, profile: str) -> list[str]:
    """Return what a PDF lacks of a standard: `"3a"` (PDF/A-3a) or `"ua1"` (PDF/UA-1)."""
    report = page.validate_pdf_bytes(pdf, profile=profile)
    assert report.rules.total > 90
    return [f"{fault.rule_id}: {fault.message}" for fault in report.failures]
