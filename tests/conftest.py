"""Hypothesis profiles, chosen with ``--hypothesis-profile``.

`default` looks for new examples each time, `ci` runs the same ones, `thorough` very many.
"""

from hypothesis import HealthCheck, settings

# No deadline: how long an example takes depends on the machine and its load.
settings.register_profile(
    "default",
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=20_000)
settings.load_profile("default")
