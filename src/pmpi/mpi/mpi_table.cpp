#include "pmpi/mpi/mpi_table.hpp"

#include <dlfcn.h>

namespace weft::pmpi {

namespace {

#ifdef OPEN_MPI
constexpr const char* kLibraries[] = {"libmpi.so.40", "libmpi.so"};
constexpr const char* kOnlyHere = "ompi_mpi_comm_world";  // no other MPI has it
// MPICH's handles fit into Open MPI's, so that its functions can be called as they would be without
// this library; the other way round they do not.
constexpr BuiltFor kBuiltFor{"Open MPI", "all collectives run natively", false};
#else
constexpr const char* kLibraries[] = {"libmpich.so.12", "libmpi.so.12", "libmpi.so"};
constexpr const char* kOnlyElsewhere = "ompi_mpi_comm_world";
constexpr BuiltFor kBuiltFor{"MPICH", "preload the one of weft where pmpi --mpi openmpi", true};
#endif

// A program that loads MPI itself, as Python does, has it in no order of libraries.
void* look_up_in_libraries(const char* name) {
  for (const char* library : kLibraries)
    if (void* handle = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
      void* found = ::dlsym(handle, name);
      ::dlclose(handle);
      if (found != nullptr) return found;
    }
  return nullptr;
}

// Functions after this library's own, which have the same names.
void* look_up_function(const char* name) {
  void* found = ::dlsym(RTLD_NEXT, name);
  return found != nullptr ? found : look_up_in_libraries(name);
}

// Objects wherever they are first: the linker may have moved them into the program.
void* look_up_object(const char* name) {
  void* found = ::dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : look_up_in_libraries(name);
}

template <class Function>
void set(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(look_up_function(name));
}

MpiTable make() {
  MpiTable table;
#define WEFT_LOOK_UP(name) set(table.name, "PMPI_" #name);
  WEFT_MPI_FUNCTIONS(WEFT_LOOK_UP)
#undef WEFT_LOOK_UP
  table.is_there = table.Init != nullptr;
#ifdef OPEN_MPI
  table.is_right = table.is_there && look_up_object(kOnlyHere) != nullptr;
#define WEFT_LOOK_UP(type, member, mpi_name, object) \
  table.member = reinterpret_cast<type>(look_up_object(#object));
#else
  table.is_right = table.is_there && look_up_object(kOnlyElsewhere) == nullptr;
#define WEFT_LOOK_UP(type, member, mpi_name, object) table.member = mpi_name;
#endif
  WEFT_MPI_HANDLES(WEFT_LOOK_UP)
#undef WEFT_LOOK_UP
  return table;
}

}  // namespace

std::atomic<const MpiTable*> found_table = nullptr;

const MpiTable& look_up_table() {
  static const MpiTable table = make();
  found_table.store(&table, std::memory_order_release);
  return table;
}

const BuiltFor& built_for() {
  return kBuiltFor;
}

}  // namespace weft::pmpi
