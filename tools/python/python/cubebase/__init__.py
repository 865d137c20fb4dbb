"""Chess endgame tables as two-level logic: exact outcomes without search.

>>> import cubebase
>>> with cubebase.open_tablebase() as tablebase:
...     tablebase.probe_wdl("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
0
"""

from importlib.metadata import version as _version

from . import espresso
from ._cubebase import Condition, Explanation, MissingTableError, Move, Tablebase, open_tablebase

__version__ = _version("cubebase")

__all__ = ["Condition", "Explanation", "MissingTableError", "Move", "Tablebase", "espresso", "open_tablebase"]
