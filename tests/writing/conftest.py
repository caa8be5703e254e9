"""The workbench of capture, for the tests of what capture writes with."""

from tests.capture.conftest import bench

__all__ = ["bench"]
