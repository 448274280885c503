"""Stub of the part of LangGraph's API that the worker uses, because tests install no Python packages."""
