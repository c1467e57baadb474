// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Stack.h"

#include <pthread.h>

#include <cstddef>

namespace tegula {

static void *start(void *run) {
  (*static_cast<llvm::function_ref<void()> *>(run))();
  return nullptr;
}

void runOnLargeStack(llvm::function_ref<void()> run) {
  pthread_attr_t attributes, before;
  pthread_attr_init(&attributes);
  pthread_getattr_default_np(&before);
  for (size_t megabytes : {256, 64}) { // Where `ulimit -v` leaves little, less.
    pthread_attr_setstacksize(&attributes, megabytes << 20);
    pthread_setattr_default_np(&attributes); // Of what std::thread starts.
    pthread_t thread;
    if (pthread_create(&thread, &attributes, start, &run) != 0)
      continue;
    pthread_join(thread, nullptr);
    return;
  }
  pthread_setattr_default_np(&before);
  run();
}

} // namespace tegula
