// Preloaded into MPICH's ranks, so that UCX yields its core when nothing has arrived. Without that,
// more ranks than cores wait for each other's time slices, and the scheduler is measured.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned (*Progress)(void*);

unsigned ucp_worker_progress(void* worker) {
  static Progress real = 0;
  if (!real) real = (Progress)dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = real(worker);
  if (events == 0) sched_yield();
  return events;
}
