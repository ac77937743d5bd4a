// Makes UCX yield its core when nothing has arrived; preload it into the ranks of MPICH. Without it, a run with more
// ranks than cores measures the scheduler, because ranks wait for the time slices of others.
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
