"""Not LangGraph: as much of its public surface as the worker touches, written for tests where the package cannot be had."""
