"""What axe-core finds on a page."""

import json

from fakes.browser import Browser

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def violations(browser: Browser, axe: str) -> list[str]:
    """Return each rule that an element of the open page breaks; `axe` is the script itself."""
    browser.run(f"{axe};0")
    options = json.dumps({"runOnly": RULES, "resultTypes": ["violations"]})
    found = browser.run(f"axe.run(document, {options}).then((result) => result.violations)")
    return [f"{v['id']}: {node['html'][:160]}" for v in found for node in v["nodes"]]
