"""Which joints does it have, felt through the hands?"""

from ._core.topology import *  # noqa: F401,F403
