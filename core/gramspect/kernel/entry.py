"""The mark of what the rest of gramspect calls in the kernel.

Where the kernel is compiled (``hatch_build.py``) a function with this mark can be called from
Python; all others can only be called by each other, and cost no more than a jump there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["entry"]

Function = TypeVar("Function", bound=Callable[..., Any])


def entry(function: Function) -> Function:
    """Leave the function as it is."""
    return function
