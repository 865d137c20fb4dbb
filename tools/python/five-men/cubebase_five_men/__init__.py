"""Tables of five men: `PATH` is their directory. `cubebase.open_tablebase()` finds it."""

from pathlib import Path

PATH = Path(__file__).parent / "tables"
