"""How do I touch a person safely? Trials of physical assistance, and the controller tick by tick."""

from ._core.assist import *  # noqa: F401,F403
