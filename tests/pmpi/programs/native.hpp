// MPI's own functions: behind the preloaded library both names of each are that library's.
//
//   NATIVE(Allreduce)(in, out, count, type, op, comm);
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

template <class Function>
Function* native(Function*, const char* name) {
#ifdef OPEN_MPI
  static void* library = ::dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
#else
  static void* library = ::dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
#endif
  void* found = library == nullptr ? nullptr : ::dlsym(library, name);
  if (found == nullptr) {
    std::fprintf(stderr, "there is no native %s\n", name);
    std::exit(2);
  }
  return reinterpret_cast<Function*>(found);
}
#define NATIVE(name) native(&MPI_##name, "PMPI_" #name)
