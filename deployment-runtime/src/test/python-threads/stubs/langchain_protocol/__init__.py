"""Stub of a package of types that LangGraph imports."""


def __getattr__(name):
    return dict
