# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit's configuration: textual tests of tegulac and tegula-opt.
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(config.tegula_source, "test"))
from lit_format import TegulaTest

config.name = "tegula"
config.test_format = TegulaTest(execute_external=False)
config.suffixes = [".mlir", ".cpp"]
config.excludes = ["Inputs", "package"]
config.test_source_root = os.path.join(config.tegula_source, "test")
config.test_exec_root = os.path.join(config.tegula_build, "test", "lit")

tools = os.path.join(config.tegula_build, "bin")
config.environment["PATH"] = os.pathsep.join([tools, config.llvm_tools, os.environ["PATH"]])
# FileCheck shows the input around a failure, and never takes options from the caller's environment.
config.environment["FILECHECK_OPTS"] = "--dump-input=fail --dump-input-context=8"

# %cxx is a user's host compiler with the flags a strict user has, %cc the same for C; %link is what a stub's program links with.
warnings = "-Wall -Wextra -Wconversion -Werror"
include = os.path.join(config.tegula_source, "include")
config.substitutions += [
    ("%cxx", f"{config.tegula_cxx} -std=c++17 {warnings} -I{include}"),
    ("%cc", f"{config.tegula_cxx} -x c -std=c99 -pedantic {warnings} -I{include}"),
    ("%clangxx", f"{config.tegula_clangxx} -std=c++17 {warnings} -I{include}"),
    ("%link", f"{config.tegula_runtime} -pthread -ldl"),
    ("%ptxas", config.tegula_ptxas),
    ("%samples", os.path.join(config.tegula_source, "samples")),
    ("%built_samples", os.path.join(config.tegula_build, "samples")),
    ("%include", include),
    ("%source", config.tegula_source),
    ("%python", sys.executable),
]
