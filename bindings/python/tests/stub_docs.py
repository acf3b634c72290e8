"""The documentation in the stubs, which editors show: what the extension module says, word for word.

stub_docs.py: writes it, from the phalanx that is installed, into the stubs of the repository.
"""

import ast
import importlib
import inspect
import re
import textwrap
from pathlib import Path

STUBS = Path(__file__).resolve().parents[1] / "python" / "phalanx"
WIDTH = 112


def stubs():
    """Every stub, with the module that it is of."""
    for path in sorted(STUBS.rglob("*.pyi")):
        name = ".".join(["phalanx", *path.relative_to(STUBS).with_suffix("").parts])
        try:
            yield path, importlib.import_module(name.removesuffix(".__init__"))
        except ModuleNotFoundError as absent:
            if absent.name != "ray":
                raise


def documented(path, module):
    """Definitions of a stub that the module documents: the node, and the text."""

    def visit(nodes, owner):
        seen = set()
        for node in nodes:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                continue
            # Of a function's overloads the first.
            if node.name in seen:
                continue
            seen.add(node.name)
            runtime = inspect.getattr_static(owner, node.name, None)
            text = inspect.cleandoc(getattr(getattr(runtime, "__func__", runtime), "__doc__", None) or "")
            if text:
                yield node, text
            if isinstance(node, ast.ClassDef):
                yield from visit(node.body, runtime)

    return list(visit(ast.parse(path.read_text()).body, module))


def words(text):
    return text.split()


def differences():
    """Definitions whose documentation is not the module's."""
    found = []
    for path, module in stubs():
        for node, text in documented(path, module):
            if words(ast.get_docstring(node) or "") != words(text):
                found.append(f"{path.name}: {node.name}")
    return found


def paragraphs(text, width):
    lines = [textwrap.fill(" ".join(part.split()), width, break_on_hyphens=False) for part in re.split(r"\n\s*\n", text)]
    return "\n\n".join(lines)


def write(path, module):
    lines = path.read_text().splitlines()
    for node, text in sorted(documented(path, module), key=lambda each: -each[0].lineno):
        indent = " " * (node.col_offset + 4)
        body = f'"""{paragraphs(text, WIDTH - len(indent) - 6)}"""'
        if "\\" in body:
            body = "r" + body
        body = textwrap.indent(body, indent).splitlines()
        first = node.body[0]
        is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
        if is_doc:
            lines[first.lineno - 1 : first.end_lineno] = body
        elif isinstance(node, ast.ClassDef):
            at = node.body[0].lineno - 1 - len(getattr(node.body[0], "decorator_list", []))
            lines[at:at] = [*body, ""]
        else:
            head, comment = re.fullmatch(r"(.*:) \.\.\.(  # .*)?", lines[first.end_lineno - 1]).groups("")
            lines[first.end_lineno - 1] = head + comment
            lines[first.end_lineno : first.end_lineno] = body
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    for each in stubs():
        write(*each)
    left = differences()
    assert not left, left
