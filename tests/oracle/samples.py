"""How much of what could be tried a judge tries: all of it, or the share that the variable WEFT_TEST_SAMPLES
says, as tests/support/samples.hpp does for tests in C++."""
import os

SHARE = min(1, max(1e-6, float(os.environ.get("WEFT_TEST_SAMPLES", "1"))))


def samples(of):
    """That share of a number, 1 or more; or of the items of a list, evenly spread, the last at least."""
    if isinstance(of, int):
        return max(1, int(SHARE * of))
    count = samples(len(of))
    return [of[i * len(of) // count - 1] for i in range(1, count + 1)]
