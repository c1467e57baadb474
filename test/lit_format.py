# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A module of its own, because lit's worker processes import the format by name.
import lit.formats


class TegulaTest(lit.formats.ShTest):
    """Every .mlir file is a test; a .cpp file is one if it says RUN: (the others belong to GoogleTest programs)."""

    def getTestsInDirectory(self, suite, path, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path, lit_config, local_config):
            source = test.getSourcePath()
            if source.endswith(".mlir"):
                yield test
            else:
                with open(source, encoding="utf-8") as text:
                    if "RUN:" in text.read():
                        yield test
