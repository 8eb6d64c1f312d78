"""Will it hold, how hard may I push, how fast may I drive, what may I take first?"""

from ._core.stability import *  # noqa: F401,F403
