"""Where can it go? Poses at which an object rests in a scene."""

from ._core.placement import *  # noqa: F401,F403
