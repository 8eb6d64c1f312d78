"""How far long calls are, shown while they run."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TextIO

from ._core import _progress


class show_progress:
    """A bar on standard error (or `file`) while the `with` block runs, for calls that take longer than `after` seconds.

    >>> import io, prehend
    >>> shown = io.StringIO()
    >>> with prehend.show_progress(file=shown):
    ...     status = prehend.settle(prehend.embedded_scene("scenes/stack.xml")).status
    >>> status
    'settled'
    """

    __module__ = "prehend"

    def __init__(self, *, after: float = 1.0, file: TextIO | None = None) -> None:
        self._after = after
        self._file = file
        self._ended = threading.Event()

    def __enter__(self) -> show_progress:
        self._ended.clear()
        self._thread = threading.Thread(target=self._draw, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    def _draw(self) -> None:
        file = self._file or sys.stderr
        width = 0
        begun = None
        while not self._ended.wait(0.1):
            now = _progress()
            if now is None:
                begun = None
                continue
            begun = begun or time.monotonic()
            if time.monotonic() - begun < self._after:
                continue
            fraction, what = now
            filled = int(24 * fraction)
            line = f"[{'#' * filled}{'.' * (24 - filled)}] {100 * fraction:3.0f} %  {what}"
            file.write("\r" + line.ljust(width))
            file.flush()
            width = len(line)
        if width:
            file.write("\r" + " " * width + "\r")
            file.flush()
