"""What is it made of?"""

from ._core.parts import *  # noqa: F401,F403
