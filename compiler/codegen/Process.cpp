// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own runner does not say which processes it waits for, and an interrupt function of LLVM's comes behind the
// removal of files.
#include "codegen/Process.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Signals.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tegula::codegen {

/// More at a time are not known to signals.
static constexpr size_t mostPrograms = 1024;
static constexpr std::array endingSignals = {SIGINT, SIGTERM, SIGHUP};

// What a signal handler looks at.
static std::array<std::atomic<pid_t>, mostPrograms> running; // 0: none
static std::atomic<int> starting;                            // Programs whose ids are not in `running` yet.
static std::atomic<bool> isEnding;
static std::array<struct sigaction, endingSignals.size()> before;

/// Threads that start programs do not come by here: for them, signals wait.
static void endPrograms(int signal) {
  isEnding = true;
  constexpr int mostMilliseconds = 1000;
  for (int i = 0; i < mostMilliseconds && starting > 0; ++i)
    poll(nullptr, 0, 1);
  for (std::atomic<pid_t> &program : running)
    if (pid_t id = program)
      kill(id, SIGKILL);
  for (std::atomic<pid_t> &program : running)
    if (pid_t id = program)
      waitpid(id, nullptr, 0);
  // What was to be done without this, which ends the process.
  for (size_t i = 0; i < endingSignals.size(); ++i)
    if (endingSignals[i] == signal)
      sigaction(signal, &before[i], nullptr);
  raise(signal);
}

void endProgramsOnSignal() {
  std::array<struct sigaction, endingSignals.size()> inherited;
  for (size_t i = 0; i < endingSignals.size(); ++i)
    sigaction(endingSignals[i], nullptr, &inherited[i]);
  llvm::sys::SetInterruptFunction(nullptr); // LLVM's handlers, which remove files, are there from now on.
  for (size_t i = 0; i < endingSignals.size(); ++i) {
    if (inherited[i].sa_handler == SIG_IGN) { // nohup
      sigaction(endingSignals[i], &inherited[i], nullptr);
      continue;
    }
    struct sigaction handler = {};
    handler.sa_handler = endPrograms;
    sigfillset(&handler.sa_mask);
    sigaction(endingSignals[i], &handler, &before[i]);
  }
}

namespace {
/// A program that starts: signals wait until its id is known.
class Start {
public:
  Start() {
    sigset_t ending;
    sigemptyset(&ending);
    for (int signal : endingSignals)
      sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &mask);
    ++starting;
  }
  ~Start() {
    --starting;
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  }
  Start(const Start &) = delete;
  Start &operator=(const Start &) = delete;

  sigset_t mask; ///< The thread's own, which is also the program's.
};
} // namespace

/// Starts a program, and notes its id in `running`. An error number if that fails.
static int start(llvm::ArrayRef<const char *> arguments, const char *log, pid_t &id, std::atomic<pid_t> *&slot) {
  Start whole;
  if (isEnding)
    return EINTR;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &whole.mask);
  int failure =
      posix_spawn(&id, arguments.front(), &files, &attributes, const_cast<char *const *>(arguments.data()), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  for (size_t i = 0; failure == 0 && slot == nullptr && i < running.size(); ++i)
    if (pid_t none = 0; running[i].compare_exchange_strong(none, id))
      slot = &running[i];
  return failure;
}

int runProgram(llvm::ArrayRef<llvm::StringRef> arguments, llvm::StringRef log, std::string &why) {
  llvm::SmallVector<std::string> texts;
  for (llvm::StringRef argument : arguments)
    texts.push_back(argument.str());
  llvm::SmallVector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  pointers.push_back(nullptr);
  pid_t id = 0;
  std::atomic<pid_t> *slot = nullptr;
  if (int failure = start(pointers, log.str().c_str(), id, slot)) {
    why = std::strerror(failure);
    return neverRan;
  }
  int status = 0;
  pid_t ended = 0;
  do
    ended = waitpid(id, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (slot)
    *slot = 0;
  while (isEnding) // What became of the program is of no interest any more.
    pause();
  if (ended == id && WIFEXITED(status))
    return WEXITSTATUS(status);
  why = ended == id && WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) + " ended it"
                                           : "its end was not seen";
  return wasEnded;
}

} // namespace tegula::codegen
