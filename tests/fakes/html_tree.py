"""A page as a tree, read by a parser that takes nothing that is not closed in order."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str]
    children: list = field(default_factory=list)

    def __iter__(self):
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child

    def all(self, tag):
        return [node for node in self if node.tag == tag]

    def text(self):
        return "".join(c.text() if isinstance(c, Node) else c for c in self.children)

    def has(self, name):
        return name in self.attributes.get("class", "").split()


class Reader(HTMLParser):
    """Builds a tree; an element that is not closed in order is an error."""

    def __init__(self):
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"an attribute of {tag} is given twice"
        node = Node(tag, {k: v or "" for k, v in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse(page):
    reader = Reader()
    reader.feed(page.decode())
    reader.close()
    assert len(reader.open) == 1, f"never closed: {[n.tag for n in reader.open[1:]]}"
    return reader.open[0]
