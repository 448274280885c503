"""The application's graph: loaded from its module, and described."""

import importlib.util
import inspect
import os
import sys
import traceback

GRAPH, MODULE, NAME = sys.argv[1:4]


def load():
    """Returns the export of the application's module."""
    path = os.path.abspath(MODULE)
    sys.path[:0] = [os.getcwd(), os.path.dirname(path)]
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    value = getattr(module, NAME, None)
    if value is None:
        raise ExportNotFound(f'{MODULE} has no "{NAME}"')
    if not callable(value) and not hasattr(value, "astream") and not hasattr(value, "compile"):
        raise ExportNotFound(f'"{NAME}" of {MODULE} is not a graph: it has no method "astream"')
    return value


class ExportNotFound(Exception):
    """The module does not export the graph."""


def schemas_of(value):
    """Returns the schemas of the graph; none for functions that return graphs, which are not called."""
    if not hasattr(value, "astream") and hasattr(value, "compile"):
        value = value.compile()
    schemas = {}
    for name in ("input", "output", "config", "context"):
        describe = getattr(value, f"get_{name}_jsonschema", None)
        try:
            schema = describe() if describe else None
        except Exception:
            traceback.print_exc()
            schema = None
        if schema is not None:
            schemas[name + "_schema"] = schema
    return schemas


async def resolve_graph(value, config):
    """Returns the graph of an export: the export itself, compiled if needed, or the result of the function."""
    if callable(value) and not hasattr(value, "astream"):
        value = value(config) if inspect.signature(value).parameters else value()
        if inspect.isawaitable(value):
            value = await value
    if not hasattr(value, "astream") and hasattr(value, "compile"):
        value = value.compile()
    if not hasattr(value, "astream"):
        raise TypeError(f'"{NAME}" of {MODULE} is not a graph: it has no method "astream"')
    return value
