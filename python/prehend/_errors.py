"""Errors with the same sentences as in C++ and on the command line."""

from __future__ import annotations


class InputError(ValueError):
    """A file that cannot be used: `FILE:LINE: error: WHAT`.

    >>> import prehend
    >>> error = prehend.InputError("scene.xml", 7, "mass is -1; it must be positive")
    >>> str(error)
    'scene.xml:7: error: mass is -1; it must be positive'
    >>> error.file, error.line, error.message
    ('scene.xml', 7, 'mass is -1; it must be positive')
    """

    __module__ = "prehend"

    def __init__(self, file: str, line: int | None, message: str) -> None:
        super().__init__(file, line, message)
        self.file = file
        self.line = line
        self.message = message

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: error: {self.message}"


class SimulationError(RuntimeError):
    """The physics engine refused the scene, or the simulation exploded; names body and time where there are any."""

    __module__ = "prehend"
