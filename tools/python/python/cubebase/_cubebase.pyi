import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Literal, Protocol, SupportsIndex, TypeAlias, TypeVar, final, overload, type_check_only

from numpy import int8
from numpy.typing import NDArray

__all__ = [
    "Condition",
    "EspressoError",
    "Explanation",
    "Minimized",
    "MissingTableError",
    "Move",
    "Tablebase",
    "minimize",
    "open_tablebase",
]

_T = TypeVar("_T")
_Outcome: TypeAlias = Literal[-2, 0, 2]
_RuledOutcome: TypeAlias = Literal[-2, -1, 0, 1, 2]
_Value: TypeAlias = SupportsIndex | str | None
_Type: TypeAlias = Literal["f", "fd", "fr", "fdr"]

# The attributes of a chess.Board that are read.
@type_check_only
class _Board(Protocol):
    occupied_co: list[int]
    queens: int
    rooks: int
    bishops: int
    knights: int
    pawns: int
    turn: bool
    castling_rights: int
    ep_square: int | None

class MissingTableError(KeyError): ...

class EspressoError(ValueError):
    line: int | None
    column: int | None

@final
class Condition:
    @property
    def sentence(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def literal(self) -> str: ...

@final
class Explanation:
    @property
    def wdl(self) -> _Outcome: ...
    @property
    def canonical(self) -> str: ...
    @property
    def decided_by(self) -> Literal["leaf", "clause"]: ...
    @property
    def number(self) -> int: ...
    @property
    def section(self) -> int | None: ...
    @property
    def conditions(self) -> list[Condition]: ...
    @property
    def is_exception(self) -> bool: ...
    def svg(self) -> str: ...

@final
class Move:
    @property
    def uci(self) -> str: ...
    @property
    def san(self) -> str: ...
    @property
    def wdl(self) -> _Outcome | None: ...
    @property
    def dtz(self) -> int | None: ...
    @property
    def category(self) -> Literal["win", "cursed-win", "draw", "blessed-loss", "loss", "unknown"]: ...
    @property
    def is_capture(self) -> bool: ...
    @property
    def promotion(self) -> Literal["q", "r", "b", "n"] | None: ...
    @property
    def is_castling(self) -> bool: ...
    @property
    def is_check(self) -> bool: ...
    @property
    def is_checkmate(self) -> bool: ...
    @property
    def is_stalemate(self) -> bool: ...
    @property
    def is_zeroing(self) -> bool: ...

@final
class Tablebase:
    def __new__(cls, *, max_fds: int | None = 128) -> Tablebase: ...
    def add_directory(
        self, directory: str | os.PathLike[str], *, load_wdl: bool = True, load_dtz: bool = True
    ) -> int: ...
    def probe_wdl(self, board: _Board | str) -> _RuledOutcome: ...
    @overload
    def get_wdl(self, board: _Board | str, default: None = None) -> _RuledOutcome | None: ...
    @overload
    def get_wdl(self, board: _Board | str, default: _T) -> _RuledOutcome | _T: ...
    def probe_dtz(self, board: _Board | str) -> int: ...
    @overload
    def get_dtz(self, board: _Board | str, default: None = None) -> int | None: ...
    @overload
    def get_dtz(self, board: _Board | str, default: _T) -> int | _T: ...
    # Without numpy it is a list of int, and Any to a type checker.
    def probe_many(self, positions: Iterable[_Board | str], *, default: int | None = None) -> NDArray[int8]: ...
    def explain(self, board: _Board | str) -> Explanation: ...
    def plan(self, board: _Board | str) -> str | None: ...
    def moves(self, board: _Board | str) -> list[Move]: ...
    def set_decoding_limit(self, bytes: int) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Tablebase: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

def open_tablebase(
    directory: str | os.PathLike[str] | None = None,
    *,
    load_wdl: bool = True,
    load_dtz: bool = True,
    max_fds: int | None = 128,
) -> Tablebase: ...

@final
class Minimized:
    @property
    def pla(self) -> str: ...
    @property
    def rows(self) -> list[tuple[str, str]]: ...
    @property
    def equations(self) -> str | None: ...
    @property
    def cubes(self) -> int: ...
    @property
    def input_literals(self) -> int: ...
    @property
    def output_literals(self) -> int: ...
    @property
    def equation_literals(self) -> int: ...
    @property
    def budget_exhausted(self) -> bool: ...

def minimize(
    pla: str | Sequence[tuple[str, str]] | Iterable[_Value] | Iterable[Iterable[_Value]] | None = None,
    *,
    m: Iterable[SupportsIndex] | None = None,
    d: Iterable[SupportsIndex] | None = None,
    inputs: Sequence[str] | None = None,
    type: _Type = "fd",
    steps: str | None = None,
    effort: int = 2,
    budget: int | None = None,
    threads: int | None = None,
    check: bool = False,
) -> Minimized: ...
