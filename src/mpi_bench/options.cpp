#include "options.hpp"

#include <charconv>
#include <cstring>

#include "collectives.hpp"
#include "sizes.hpp"

namespace weft::mpi_bench {

const char* const kHelp =
    "weft-bench: times of collectives, messages and schedules under an MPI\n"
    "\n"
    "  mpirun -n 16 weft-bench allreduce --sizes 64KiB:4MiB -o allreduce.csv\n"
    "  mpirun -n 16 weft-bench links --topology 2dfc:4x4 -o links.csv\n"
    "  mpirun -n 8 weft-bench run allreduce.xml --sizes 1KiB:16MiB\n"
    "\n"
    "  COLLECTIVE         one of allreduce, reduce, broadcast, reduce-scatter, allgather, gather,\n"
    "                     scatter, alltoall, barrier\n"
    "  links              messages by class of links, alone and several on a link; copies and\n"
    "                     reductions: what weft calibrate reads\n"
    "  run FILE...        perform schedules and programs on host memory (.weft, MSCCL XML, and "
    "all\n"
    "                     that weft export --to weft-run takes), check every rank's result "
    "against\n"
    "                     the MPI's collective with random data, and time both. Exit code 1 if a\n"
    "                     result is wrong or a file hangs\n"
    "  --sizes LIST       1KiB,1MiB or 1KiB:1MiB, which doubles [4B:4MiB; links 1B:4MiB; run\n"
    "                     1KiB:4MiB]. run rounds up to a whole number of the file's units of "
    "floats\n"
    "  --in-place         of run: let the schedule overwrite its input, and call the MPI's\n"
    "                     collective with MPI_IN_PLACE [out of place: input that would be\n"
    "                     overwritten is copied first, within the time]\n"
    "  --check-only       of run: check results and time nothing\n"
    "  --time-limit N     of run: seconds without progress after which a file is said to hang "
    "[60]\n"
    "  --topology EXPR    of links: the network that the ranks are on, in the order of hosts\n"
    "  --pairs FILE       of links: what weft calibrate --pairs printed, where weft is not at "
    "hand\n"
    "  --startup N        of run: seconds that a rank waits before it sends in a step, as if each\n"
    "                     step cost that much to start; for files of weft testbed compare [0]\n"
    "  --doze N           of run: seconds that a waiting rank sleeps between two looks, where "
    "ranks\n"
    "                     share processors [0: it waits as the MPI does]\n"
    "  --seconds N        for each size, about [1]\n"
    "  --fewest N         calls of a size, at least [5]\n"
    "  -o, --output FILE  comma-separated values [standard output]\n";

namespace {

class Reader {
 public:
  Reader(const World& world, int argc, char** argv) : world_(world), argc_(argc), argv_(argv) {}

  Options read() {
    for (at_ = 1; at_ < argc_; ++at_) argument(argv_[at_]);
    check();
    return options_;
  }

 private:
  void argument(const std::string& name) {
    if (name == "--sizes" || name == "--size")
      options_.sizes_B = sizes(value(name));
    else if (name == "--topology" || name == "-t")
      options_.topology = value(name);
    else if (name == "--pairs")
      options_.pairs = value(name);
    else if (name == "-o" || name == "--output")
      options_.output = value(name);
    else if (name == "--seconds")
      options_.repeat.seconds = number(name, 0, 3600);
    else if (name == "--doze")
      options_.doze_s = number(name, 0, 1);
    else if (name == "--in-place")
      options_.in_place = true;
    else if (name == "--check-only")
      options_.check_only = true;
    else if (name == "--time-limit")
      options_.time_limit_s = number(name, 0, 86400), limited_ = true;
    else if (name == "--startup")
      options_.startup_s = number(name, 0, 60);
    else if (name == "--fewest")
      options_.repeat.fewest = static_cast<int>(number(name, 1, 1000));
    else if (name.starts_with("-"))
      refuse(world_, "unknown option " + name + "; weft-bench --help lists them");
    else if (options_.test.empty())
      options_.test = name;
    else if (options_.test == "run")
      options_.files.push_back(name);
    else
      refuse(world_, "'" + name + "' is one argument too many; weft-bench --help shows how");
  }

  std::string value(const std::string& name) {
    if (at_ + 1 >= argc_ || argv_[at_ + 1][0] == '\0') refuse(world_, name + " needs a value");
    return argv_[++at_];
  }

  std::vector<std::int64_t> sizes(const std::string& text) const {
    const auto found = sizes_in(text);
    if (!found)
      refuse(world_,
             "'" + text + "' is no list of sizes from 1B to 1GiB; write 1KiB,1MiB or 1KiB:1MiB");
    return *found;
  }

  double number(const std::string& name, double least, double most) {
    const std::string text = value(name);
    double found = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (error != std::errc() || stop != text.data() + text.size() || !(found >= least) ||
        found > most)
      refuse(world_, name + " " + text + " is no number from " +
                         std::to_string(static_cast<int>(least)) + " to " +
                         std::to_string(static_cast<int>(most)));
    return found;
  }

  void check() {
    if (options_.test.empty())
      refuse(world_, "no test given; links, run, or one of " + collective_names());
    const bool links = options_.test == "links", run = options_.test == "run";
    if (run && options_.files.empty()) refuse(world_, "no schedule to run; name files");
    if (!run && (options_.startup_s > 0 || options_.doze_s > 0 || options_.in_place ||
                 options_.check_only || limited_))
      refuse(world_, "--startup, --doze, --in-place, --check-only and --time-limit are of run; " +
                         options_.test + " is the MPI's own");
    if (!links && !run && !CollectiveCall::find(options_.test, world_, 1))
      refuse(world_,
             "no test '" + options_.test + "'; links, run, or one of " + collective_names());
    if (links && options_.topology.empty() == options_.pairs.empty())
      refuse(world_, "links needs the network: --topology EXPR, or its pairs: --pairs FILE");
    if (!links && !(options_.topology.empty() && options_.pairs.empty()))
      refuse(world_, "--topology and --pairs are of links; " + options_.test + " takes neither");
    if (options_.test == "barrier" && !options_.sizes_B.empty())
      refuse(world_, "a barrier has no size; leave out --sizes");
    if (links && world_.ranks < 2) refuse(world_, "one rank sends nothing; mpirun -n 2 or more");
    if (options_.sizes_B.empty() && !run)
      options_.sizes_B = options_.test == "barrier" ? std::vector<std::int64_t>{1}
                                                    : *sizes_in(links ? "1B:4MiB" : "4B:4MiB");
  }

  const World& world_;
  bool limited_ = false;
  int argc_, at_ = 1;
  char** argv_;
  Options options_;
};

}  // namespace

Options read_options(const World& world, int argc, char** argv) {
  return Reader(world, argc, argv).read();
}

}  // namespace weft::mpi_bench
