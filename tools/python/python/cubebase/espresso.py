"""Two-level logic minimization of PLAs, after Berkeley's espresso.

>>> from cubebase import espresso
>>> espresso.minimize([("111", "1"), ("110", "1"), ("011", "1"), ("0-0", "-")]).rows
[('-1-', '1')]
"""

from ._cubebase import EspressoError, Minimized, minimize

__all__ = ["EspressoError", "Minimized", "minimize"]
