// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What text cannot show: the table of targets, and how ptxas' log is read.
#include "codegen/CodeStore.h"
#include "codegen/Codegen.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace tegula;

TEST(Targets, AreNamedAfterTheirNumbers) {
  int last = 0;
  for (const Target &target : knownTargets()) {
    std::string name = "sm_" + std::to_string(target.number);
    if (target.feature != 0)
      name += target.feature;
    EXPECT_EQ(target.name, name);
    EXPECT_GT(target.number, last) << "in ascending order";
    last = target.number;
    EXPECT_EQ(findTarget(name), &target);
    EXPECT_EQ(target.isPortable(), target.feature == 0);
    // LLVM either knows the target itself, or its code is given another head.
    EXPECT_EQ(target.ptxVersion.empty(), target.llvmCpu == target.name) << name;
  }
  EXPECT_EQ(findTarget("sm_90"), nullptr);
  EXPECT_EQ(findTarget(""), nullptr);
}

TEST(Targets, OnlyTheHeadIsReplaced) {
  const char *ptx = "// .version comment\n.version 8.5\n.target sm_90, debug\n.address_size 64\n.version in the text\n";
  EXPECT_EQ(codegen::reheadPtx(ptx, *findTarget("sm_100a")),
            "// .version comment\n.version 8.6\n.target sm_100a, debug\n.address_size 64\n.version in the text\n");
  EXPECT_EQ(codegen::reheadPtx(".version 8.5\n.target sm_90\nbody", *findTarget("sm_103a")),
            ".version 8.8\n.target sm_103a\nbody\n");
  EXPECT_EQ(codegen::reheadPtx(ptx, *findTarget("sm_80")), ptx) << "LLVM's own head is right";
}

TEST(AssemblerLog, NamesResourcesOfEachKernel) {
  codegen::Cubin cubin;
  codegen::readAssemblerLog("ptxas info    : 0 bytes gmem\n"
                            "ptxas info    : Compiling entry function 'first' for 'sm_90a'\n"
                            "ptxas info    : Function properties for helper\n"
                            "    40 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                            "ptxas info    : Function properties for first\n"
                            "    16 bytes stack frame, 4 bytes spill stores, 20 bytes spill loads\n"
                            "ptxas info    : Used 168 registers, used 1 barriers, 16 bytes cumulative stack size\n"
                            "ptxas info    : Compile time = 12.345 ms\n"
                            "ptxas info    : Function properties for other_helper\n"
                            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                            "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
                            "ptxas info    : Function properties for second\n"
                            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                            "ptxas info    : Used 8 registers, used 0 barriers\n",
                            cubin);
  ASSERT_EQ(cubin.kernels.size(), 2u);
  EXPECT_EQ(cubin.kernels[0].name, "first");
  EXPECT_EQ(cubin.kernels[0].registers, 168u);
  EXPECT_EQ(cubin.kernels[0].stackBytes, 16u);
  EXPECT_EQ(cubin.kernels[0].spillStoreBytes, 4u);
  EXPECT_EQ(cubin.kernels[0].spillLoadBytes, 20u);
  EXPECT_EQ(cubin.kernels[1].name, "second");
  EXPECT_EQ(cubin.kernels[1].registers, 8u);
  EXPECT_EQ(cubin.kernels[1].stackBytes, 0u);
  EXPECT_TRUE(cubin.remarks.empty());
}

TEST(CodeStore, ACubinIsKeptWithWhatIsKnownOfIt) {
  codegen::Cubin cubin;
  cubin.image = std::string("\177ELF\0image\n", 11);
  cubin.kernels = {{"first", 168, 16, 4, 20}, {"second", 8, 0, 0, 0}};
  cubin.remarks = {{"C7510", "wgmma is serialized: why"}};
  codegen::Cubin other;
  other.image = "cubin 3\nimage\n";
  std::string text = codegen::pack({cubin, other});
  codegen::Cubins both = codegen::unpackCubins(text);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[1].image, other.image);
  const codegen::Cubin *again = &both[0];
  EXPECT_EQ(again->image, cubin.image);
  ASSERT_EQ(again->kernels.size(), 2u);
  EXPECT_EQ(again->kernels[0].name, "first");
  EXPECT_EQ(again->kernels[0].registers, 168u);
  EXPECT_EQ(again->kernels[0].stackBytes, 16u);
  EXPECT_EQ(again->kernels[0].spillStoreBytes, 4u);
  EXPECT_EQ(again->kernels[0].spillLoadBytes, 20u);
  ASSERT_EQ(again->remarks.size(), 1u);
  EXPECT_EQ(again->remarks[0].code, "C7510");
  EXPECT_EQ(again->remarks[0].message, "wgmma is serialized: why");
  for (const std::string wrong :
       {"", "kernel", "kernel a 1 2 3 4\n", "kernel a 1 2 3\nimage\n", "kernel a 1 2 3 x\nimage\n"}) {
    EXPECT_TRUE(codegen::unpackCubins(wrong).empty()) << wrong;
    EXPECT_TRUE(codegen::unpackCubins("cubin " + std::to_string(wrong.size()) + "\n" + wrong).empty()) << wrong;
  }
  EXPECT_TRUE(codegen::unpackCubins(text.substr(0, text.size() - 1)).empty());
}

TEST(Spills, BlocksAreToldToTheKernelsInQuestion) {
  const char *ptx =
      ".target sm_90a\n.visible .entry first(\n\t.param .u64 p\n)\n.reqntid 256, 1, 1\n{\n}\n"
      ".visible .entry first_more(\n)\n.reqntid 32, 1, 1\n{\n}\n.visible .entry last()\n.reqntid 64, 1, 1\n{}";
  EXPECT_EQ(codegen::withLeastBlocks(ptx, {}), ptx);
  llvm::StringMap<unsigned> blocks;
  blocks["first"] = 3;
  blocks["last"] = 12;
  EXPECT_EQ(codegen::withLeastBlocks(ptx, blocks),
            ".target sm_90a\n.visible .entry first(\n\t.param .u64 p\n)\n.reqntid 256, 1, 1\n.minnctapersm 3\n{\n}\n"
            ".visible .entry first_more(\n)\n.reqntid 32, 1, 1\n{\n}\n.visible .entry last()\n.reqntid 64, 1, 1\n"
            ".minnctapersm 12\n{}");
  EXPECT_EQ(codegen::withLeastBlocks(".visible .entry last()\n.reqntid 64, 1, 1\n.minnctapersm 20\n{\n}\n", blocks),
            ".visible .entry last()\n.reqntid 64, 1, 1\n.minnctapersm 12\n{\n}\n");
}

TEST(Codegen, OnlyKernels) {
  const char *head = ".target sm_90a\n.global .align 4 .b8 table[4];\n";
  const char *first = ".visible .entry first(\n)\n.reqntid 256, 1, 1\n{\n\t{\n\t}\n\tret;\n}\n";
  const char *function = ".func helper()\n{\n\tret;\n}\n";
  const char *last = ".visible .entry first_more(\n)\n{\n\tret;\n}\n";
  std::string ptx = std::string(head) + first + function + last;
  llvm::StringMap<unsigned> wanted;
  EXPECT_EQ(codegen::onlyKernels(ptx, wanted), std::string(head) + function);
  wanted["first"] = 1;
  EXPECT_EQ(codegen::onlyKernels(ptx, wanted), std::string(head) + first + function);
  wanted["first_more"] = 1;
  EXPECT_EQ(codegen::onlyKernels(ptx, wanted), ptx);
}

TEST(Codegen, PtxInParts) {
  auto kernel = [](std::string name, size_t bytes) {
    return ".visible .entry " + name + "(\n)\n{\n\t{\n\t}\n\t//" + std::string(bytes, 'x') + "\n}\n";
  };
  std::string head = ".target sm_90a\n", function = ".func helper()\n{\n\tret;\n}\n", tail = "\t.file\t1 \"x\"\n";
  std::string a = kernel("a", 60000), b = kernel("b", 60000), c = kernel("c", 60000), d = kernel("d", 200000),
              e = kernel("e", 10), f = kernel("f", 10);
  auto parts = codegen::splitPtx(head + a + function + b + c + d + e + f + tail);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].text, head + a + function + b + tail);
  EXPECT_EQ(parts[0].kernels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parts[1].text, head + function + c + tail);
  EXPECT_EQ(parts[1].kernels, (std::vector<std::string>{"c"}));
  EXPECT_EQ(parts[2].text, head + function + d + tail) << "long ones are alone";
  EXPECT_EQ(parts[3].text, head + function + e + f + tail);
  EXPECT_EQ(parts[3].kernels, (std::vector<std::string>{"e", "f"}));
  for (std::string whole : {head + a + function + b + tail, head + d, head + function}) {
    parts = codegen::splitPtx(whole);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].text, whole);
    EXPECT_TRUE(parts[0].kernels.empty()) << "what is in it need not be said";
  }
}

TEST(AssemblerLog, FindsHazards) {
  codegen::Cubin cubin;
  codegen::readAssemblerLog("ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are "
                            "serialized due to a barrier in function 'k'\n"
                            "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n",
                            cubin);
  ASSERT_EQ(cubin.remarks.size(), 1u);
  EXPECT_EQ(cubin.remarks[0].code, "C7510");
  EXPECT_EQ(cubin.remarks[0].message.find("Potential Performance Loss: wgmma"), 0u) << cubin.remarks[0].message;
  EXPECT_EQ(cubin.kernels.size(), 1u);
}

TEST(AssemblerLog, NamesWhatIsRefused) {
  const char *ptx = ".version 8.0\n.visible .entry first(\n)\n{\n\tfoo %r1;\n}\n"
                    ".visible .entry second(\n)\n{\n\tmov.b32 %r1, %q2;\n\tret;\n}\n.nonsense\n";
  auto refused = codegen::readRefusedLines("ptxas a.ptx, line 10; error   : Unknown symbol '%q2'\n"
                                           "ptxas a.ptx, line 10; error   : Arguments mismatch\n"
                                           "ptxas a.ptx, line 11; warning : slow\n"
                                           "ptxas a.ptx, line 5; fatal   : Parsing error near 'foo': syntax error\n"
                                           "ptxas a.ptx, line 13; error   : Unknown directive\n"
                                           "ptxas fatal   : Ptx assembly aborted due to errors\n",
                                           ptx);
  ASSERT_EQ(refused.size(), 3u);
  EXPECT_EQ(refused[0].kernel, "first");
  EXPECT_EQ(refused[0].text, "foo %r1;");
  EXPECT_EQ(refused[0].why, "Parsing error near 'foo': syntax error");
  EXPECT_EQ(refused[1].kernel, "second");
  EXPECT_EQ(refused[1].text, "mov.b32 %r1, %q2;");
  EXPECT_EQ(refused[1].why, "Unknown symbol '%q2'");
  EXPECT_EQ(refused[2].kernel, "") << "behind the last kernel";
}

// Inline assembly may hold lines that look like the end of a function, or like what is written in another way.
TEST(Codegen, InlineAssemblyStaysAsItIs) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic ignored;
  const char *text = "define void @k() {\n"
                     "  call void asm sideeffect \"{\\0A}\\0Aneg.s32\\09 %r1, %r2;\", \"\"()\n"
                     "  call void asm sideeffect \"griddepcontrol.wait;\", \"\"()\n  ret void\n}\n"
                     "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, ignored, context);
  ASSERT_TRUE(module);
  const Target &target = *findTarget("sm_90a");
  ASSERT_FALSE(codegen::link(*module, target, ""));
  auto ptx = codegen::emitPtx(*module, target);
  ASSERT_TRUE(static_cast<bool>(ptx)) << llvm::toString(ptx.takeError());
  EXPECT_NE(ptx->find("{\n}\nneg.s32\t %r1, %r2;\n"), std::string::npos) << *ptx;
  size_t waits = 0; // Its own, which stands behind what looks like an end.
  for (size_t at = 0; (at = ptx->find("griddepcontrol.wait;", at)) != std::string::npos; ++at)
    ++waits;
  EXPECT_EQ(waits, 1u) << *ptx;
}

// Where none is found, there is no path.
TEST(Libdevice, IsAskedForWhereCalled) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic ignored;
  const char *text = "declare float @__nv_expf(float)\ndefine float @f(float %x) {\n"
                     "  %y = call float @__nv_expf(float %x)\n  ret float %y\n}\n";
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, ignored, context);
  ASSERT_TRUE(module);
  auto linked = codegen::linkKernels(*module, *findTarget("sm_80"), "");
  ASSERT_FALSE(linked);
  EXPECT_EQ(
      llvm::toString(linked.takeError()),
      "the kernels call __nv_expf of CUDA's libdevice, and none was found beside ptxas, in CUDA_HOME or in "
      "/usr/local/cuda (PyPI: nvidia-nvvm): install a CUDA toolkit, or name its libdevice.10.bc in TEGULA_LIBDEVICE");
}

// A ptxas that tells of spills, and not of registers.
TEST(Assemble, TakesALogWithoutRegisters) {
  std::string path = ::testing::TempDir() + "ptxas_without_registers";
  std::ofstream(path) << "#!/bin/sh\n"
                         "while [ \"$1\" != -o ]; do shift; done\n"
                         "printf cubin > \"$2\"\n"
                         "echo \"ptxas info : Compiling entry function 'k' for 'sm_80'\"\n"
                         "echo '    16 bytes stack frame, 4 bytes spill stores, 20 bytes spill loads'\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const std::string ptx = ".version 8.0\n.target sm_80\n.visible .entry k(\n)\n.reqntid 128, 1, 1\n{\n\tret;\n}\n";
  auto cubins = codegen::assemble({{ptx, findTarget("sm_80")}}, path);
  std::filesystem::remove(path);
  ASSERT_TRUE(static_cast<bool>(cubins)) << llvm::toString(cubins.takeError());
  ASSERT_EQ(cubins->size(), 1u);
  ASSERT_EQ(cubins->front().size(), 1u);
  const codegen::Cubin &cubin = cubins->front().front();
  EXPECT_EQ(cubin.image, "cubin");
  ASSERT_EQ(cubin.kernels.size(), 1u);
  EXPECT_EQ(cubin.kernels[0].registers, 0u);
  EXPECT_EQ(cubin.kernels[0].spillLoadBytes, 20u);
}

// A pass that LLVM renames would silently run again.
TEST(Codegen, PassesThatAreLeftOutAreThere) {
  for (const Target &target : knownTargets())
    EXPECT_EQ(codegen::unknownPassesLeftOut(target), std::vector<std::string>()) << target.name;
}

TEST(Assemble, ReportsTheTargetThatFails) {
  const std::string good = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(){ret;}\n";
  const std::string bad = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(){nonsense;}\n";
  // A stand-in for ptxas that refuses one architecture.
  auto cubins = codegen::assemble({{good, findTarget("sm_80")}, {bad, findTarget("sm_90a")}}, "/bin/false");
  ASSERT_FALSE(cubins);
  std::string message = llvm::toString(cubins.takeError());
  EXPECT_EQ(message.find("ptxas refuses the code for sm_80"), 0u) << message;
}
