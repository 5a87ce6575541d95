"""JUnit XML as CI servers agree on it."""

import xml.etree.ElementTree as ET

from fakes.reviews import every_outcome, reviewed, shown, unreadable, verdict
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)

# Attributes and children in their order, as testmo's junitxml and Jenkins' XSD have them.
ATTRIBUTES = ROWS["attributes"]
CHILDREN = ROWS["children"]
OPTIONAL = {"line"}


def parsed(*reviews, **options) -> ET.Element:
    return ET.fromstring(shown("junit", *reviews, **options))  # noqa: S314 - our own output


def assert_structure(element: ET.Element) -> None:
    legal = ATTRIBUTES[element.tag]
    given = list(element.attrib)
    assert given == [name for name in legal if name in given or name not in OPTIONAL]
    order = [CHILDREN.get(element.tag, []).index(child.tag) for child in element]
    assert order == sorted(order)
    for child in element:
        assert_structure(child)


def cases(root: ET.Element) -> dict[str, ET.Element]:
    return {f"{case.get('classname')} {case.get('name')}": case for case in root.iter("testcase")}


def test_elements_and_attributes_are_those_of_the_convention():
    assert_structure(parsed(every_outcome(), unreadable()))


def test_warnings_fail_only_where_they_are_to():
    def failures(**options) -> int:
        return int(parsed(every_outcome(), **options).get("failures"))

    assert [failures(fail_on=level) for level in ("error", "warning", "never")] == [2, 4, 2]


def test_names_of_cases_outlive_a_line_above_and_are_unique():
    names = list(cases(parsed(reviewed([verdict(i) for i in range(3)]))))
    assert names[1:] == ["report.series 81.5", "report.series 81.5 (2)", "report.series 81.5 (3)"]


def test_a_report_that_could_not_be_checked_is_an_error():
    root = parsed(unreadable())
    assert (root.get("errors"), root.get("failures")) == ("1", "0")
    [case] = root.iter("testcase")
    assert "ends in the middle of a page" in case.find("error").get("message")
