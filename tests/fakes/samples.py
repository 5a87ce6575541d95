"""Contents of files as programs write them: lines of JSON, arrays, notebooks, databases."""

import io
import json
import sqlite3

import numpy as np


def lines(*rows: object) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def arrays(**named: object) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **{key: np.array(value) for key, value in named.items()})
    return stream.getvalue()


def notebook(before: str, header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> bytes:
    cells = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
    head = "".join(f"<th>{name}</th>" for name in header)
    page = f'{before}<table border="1" class="dataframe"><tr>{head}</tr>{cells}</table><p>'
    shown = {"output_type": "display_data", "data": {"text/html": [page]}}
    return json.dumps({"cells": [{"outputs": [shown]}, {"outputs": [shown]}]}).encode()


def database(*statements: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    return connection.serialize()
