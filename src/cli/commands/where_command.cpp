// weft where: where something that comes with weft lies, for scripts.

#include <filesystem>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/testbed/launch.hpp"

namespace weft::cli {

namespace {

struct WhereCommand {
  std::string what, mpi = std::string(testbed::mpis().front().name);
  OutputOptions common;
};

const std::string& mpi_help() {
  static const std::string help = "MPI library of the program: " + testbed::mpi_names();
  return help;
}

struct Library {
  std::string mpi, path;
};
answer::Parts<Library> library_parts() {
  constexpr answer::PartOf<Library> part;
  using answer::Unit;
  return {part("mpi", "", Unit::none, mpi_help(), &Library::mpi),
          part("path", "", Unit::none, "path of libweft-pmpi.so", &Library::path)};
}

// In a build's folder or an installation's, seen from the program's own.
std::string runtime_library(const std::string& mpi) {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::filesystem::path name = std::filesystem::path(mpi) / "libweft-pmpi.so";
  for (const auto& path : {folder / "../lib/weft" / name, folder / WEFT_LIBRARY_FOLDER / name})
    if (std::filesystem::exists(path, ignored)) return path.lexically_normal();
  reject(
      "this weft has no libweft-pmpi.so for {} (mpicxx.{} was missing when weft was "
      "built); install it and build again",
      mpi, mpi);
}

int run(const WhereCommand& options, Streams& streams) {
  if (options.what != "pmpi")
    reject_unknown({"part", options.what}, std::vector<std::string>{"pmpi"});
  const std::string mpi(testbed::find_mpi(options.mpi).name);
  const Library library{mpi, runtime_library(mpi)};
  if (options.common.json)
    print_json("where", library, library_parts(), options.common, streams);
  else
    streams.out << library.path << '\n';
  return kFine;
}

}  // namespace

std::vector<answer::Shape> where_shapes() {
  return {{.parts = texts_of(library_parts())}};
}

void add_where_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<WhereCommand>();
  const Command command =
      program.add_command("where", "Print the path of the library that runs plans in MPI programs");
  const OptionAdder add(command);
  add("what", options->what, "Library: pmpi, which programs preload").required();
  add("--mpi", options->mpi, mpi_help());
  add_output_options(command, options->common);
  draws_nothing(command);
  command.footer(
      "Examples:\n"
      "  # Run an MPI program with the schedules of a plan\n"
      "  WEFT_PLAN=cluster.plan mpirun -x WEFT_PLAN -x LD_PRELOAD=$(weft where pmpi) ./app\n"
      "  # Where is the library for MPICH?\n"
      "  weft where pmpi --mpi mpich");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
