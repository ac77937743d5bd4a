#include "options.hpp"

#include <charconv>
#include <cstring>

#include "collectives.hpp"
#include "sizes.hpp"

namespace weft::mpi_bench {

const char* const kHelp =
    "weft-bench: measures collectives, messages and schedules under an MPI\n"
    "Usage: mpirun -n RANKS weft-bench COLLECTIVE|links|run FILE... [OPTIONS]\n"
    "\n"
    "Tests:\n"
    "  COLLECTIVE         Time of the MPI's allreduce, reduce, broadcast, reduce-scatter, "
    "allgather,\n"
    "                     gather, scatter, alltoall or barrier\n"
    "  links              Time of messages on each class of links, one and several at a time, and "
    "of\n"
    "                     copies and reductions; weft calibrate reads the answer\n"
    "  run FILE...        Time of schedules and programs on host memory: .weft, MSCCL XML, and "
    "files of\n"
    "                     weft export --to weft-run. Checks each rank's result with random data "
    "against\n"
    "                     the MPI's collective; exit code 1 if a result is wrong or a file hangs\n"
    "\n"
    "Options:\n"
    "  --sizes LIST       Sizes: 1KiB,1MiB or 1KiB:1MiB (doubling) [4B:4MiB; links 1B:4MiB; run\n"
    "                     1KiB:4MiB]. run rounds up to a multiple of the file's unit\n"
    "  --seconds N        Measured seconds of each size, about [1]\n"
    "  --fewest N         Minimum number of calls of each size [5]\n"
    "  -o, --output FILE  CSV file for the times [standard output]\n"
    "\n"
    "Options of links:\n"
    "  --topology EXPR    Network of the ranks, in the order of hosts, such as 2dfc:4x4\n"
    "  --pairs FILE       Output of weft calibrate --pairs, for machines without weft\n"
    "\n"
    "Options of run:\n"
    "  --check-only       Check results, and time nothing\n"
    "  --in-place         Let schedules overwrite their input, and call the MPI with MPI_IN_PLACE\n"
    "                     [input that would be overwritten is copied first, within the time]\n"
    "  --time-limit N     Seconds without progress after which a file counts as hanging [60]\n"
    "  --startup N        Seconds that a rank waits before it sends in each step, for files of "
    "weft\n"
    "                     testbed compare [0]\n"
    "  --doze N           Seconds that a waiting rank sleeps between two checks, for ranks that "
    "share\n"
    "                     processors [0: the rank waits as the MPI does]\n"
    "\n"
    "Examples:\n"
    "  # How fast is the MPI's allreduce?\n"
    "  mpirun -n 16 weft-bench allreduce --sizes 64KiB:4MiB -o allreduce.csv\n"
    "  # Measure the links of a network for weft calibrate\n"
    "  mpirun -n 16 weft-bench links --topology 2dfc:4x4 -o links.csv\n"
    "  # Is a schedule correct, and how fast is it?\n"
    "  mpirun -n 8 weft-bench run allreduce.xml --sizes 1KiB:16MiB\n";

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
      refuse(world_, "unknown option '" + name + "'; see weft-bench --help");
    else if (options_.test.empty())
      options_.test = name;
    else if (options_.test == "run")
      options_.files.push_back(name);
    else
      refuse(world_, "'" + name + "' is unexpected; see weft-bench --help");
  }

  std::string value(const std::string& name) {
    if (at_ + 1 >= argc_ || argv_[at_ + 1][0] == '\0') refuse(world_, name + " needs a value");
    return argv_[++at_];
  }

  std::vector<std::int64_t> sizes(const std::string& text) const {
    const auto found = sizes_in(text);
    if (!found)
      refuse(world_,
             "'" + text + "' is not a list of sizes from 1B to 1GiB; write 1KiB,1MiB or 1KiB:1MiB");
    return *found;
  }

  double number(const std::string& name, double least, double most) {
    const std::string text = value(name);
    double found = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (error != std::errc() || stop != text.data() + text.size() || !(found >= least) ||
        found > most)
      refuse(world_, name + " " + text + " is not a number from " +
                         std::to_string(static_cast<int>(least)) + " to " +
                         std::to_string(static_cast<int>(most)));
    return found;
  }

  void check() {
    if (options_.test.empty())
      refuse(world_, "no test is given; use links, run, or one of " + collective_names());
    const bool links = options_.test == "links", run = options_.test == "run";
    if (run && options_.files.empty()) refuse(world_, "no schedule is given; name its files");
    if (!run && (options_.startup_s > 0 || options_.doze_s > 0 || options_.in_place ||
                 options_.check_only || limited_))
      refuse(world_, "--startup, --doze, --in-place, --check-only and --time-limit apply to run; " +
                         options_.test + " is the MPI's own");
    if (!links && !run && !CollectiveCall::find(options_.test, world_, 1))
      refuse(world_,
             "unknown test '" + options_.test + "'; known: links, run, " + collective_names());
    if (links && options_.topology.empty() == options_.pairs.empty())
      refuse(world_, "links needs the network, --topology EXPR, or its pairs, --pairs FILE");
    if (!links && !(options_.topology.empty() && options_.pairs.empty()))
      refuse(world_,
             "--topology and --pairs apply to links; " + options_.test + " does not use them");
    if (options_.test == "barrier" && !options_.sizes_B.empty())
      refuse(world_, "a barrier has no size; leave out --sizes");
    if (links && world_.ranks < 2)
      refuse(world_, "one rank does not send; start at least two: mpirun -n 2");
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
