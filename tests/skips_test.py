"""tests/skips.py counts what ctest and pytest left out, reason by reason."""

import skips

LOG = """
/checkout/prehend/model/test/x_test.cpp:208: Skipped
no /shared/data: the published scenes are not here

[  SKIPPED ] RoundTrip.X (0 ms)
prehend/model/test/y_test.cpp:12: Skipped
no /shared/data: the published scenes are not here
SKIPPED [3] tests/cli_test.py:75: recorded data not there: /shared/data
SKIPPED [1] tests/wheel_test.py:9: builds the package anew; set PREHEND_SLOW=1
Skipped is only a word here
"""


def test_reasons_are_counted(tmp_path):
    assert skips.reasons(LOG) == {"no /shared/data: the published scenes are not here": 2, "recorded data not there: /shared/data": 3,
                                  "builds the package anew; set PREHEND_SLOW=1": 1}
    folder = tmp_path / "Testing/Temporary"
    folder.mkdir(parents=True)
    (folder / "LastTest.log").write_text(LOG)
    assert skips.main(tmp_path).splitlines()[0] == "6 tests were skipped:"
    (folder / "LastTest.log").write_text("all passed\n")
    assert skips.main(tmp_path) == "0 tests were skipped"
    assert "no run of ctest" in skips.main(tmp_path / "nowhere")
