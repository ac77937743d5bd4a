// weft-probe: times of messages and collectives under MPI, as tables that weft calibrate reads.
//
//   mpirun -np 2 weft-probe latency > latency.txt        ping-pong between ranks 0 and 1
//   mpirun -np 4 weft-probe mbw_mr > mbw_mr.txt          streams of rank i to rank i + ranks / 2
//   mpirun -np 4 weft-probe allreduce > allreduce.txt    or another collective
//
// The columns are those of OSU's benchmarks of the same names. Each size is measured in batches,
// and the least of their means is printed: on a machine with other work a mean over all says more
// of that work. Remarks say who was where and how many ranks there were, which OSU's tables do not.
// It stands alone, a program for each MPI, without anything of weft's.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kBatches = 101;
constexpr int kWindow = 64;

struct Options {
  std::string test;
  std::int64_t largest_B = 4 << 20;
  double seconds = 0.3;  // for each size, about
};

struct World {
  int rank = 0, ranks = 0;
};

[[noreturn]] void refuse(const World& world, const std::string& why) {
  if (world.rank == 0) std::fprintf(stderr, "weft-probe: %s\n", why.c_str());
  MPI_Finalize();
  std::exit(2);
}

// What one call of a test does on this rank, with messages of so many bytes.
using Call = std::function<void(int size_B)>;

struct Test {
  const char* name;
  const char* title;    // as in the table's first line
  const char* heading;  // of its columns
  bool collective;
};
constexpr std::array kTests = {
    Test{"latency", "Latency", "# Size          Latency (us)", false},
    Test{"mbw_mr", "Multiple Bandwidth / Message Rate",
         "# Size                  MB/s        Messages/s", false},
    Test{"allreduce", "Allreduce Latency", "# Size       Avg Latency(us)", true},
    Test{"allgather", "Allgather Latency", "# Size       Avg Latency(us)", true},
    Test{"alltoall", "All-to-All Personalized Exchange Latency", "# Size       Avg Latency(us)",
         true},
    Test{"bcast", "Broadcast Latency", "# Size       Avg Latency(us)", true},
    Test{"reduce", "Reduce Latency", "# Size       Avg Latency(us)", true}};

struct Buffers {
  std::vector<char> out, in;
};

Call ping_pong(const World& world, Buffers& b) {
  return [&](int size_B) {
    if (world.rank == 0) {
      MPI_Send(b.out.data(), size_B, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(b.in.data(), size_B, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (world.rank == 1) {
      MPI_Recv(b.in.data(), size_B, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(b.out.data(), size_B, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
  };
}

// A window of messages, then an answer of 4 bytes.
Call streams(const World& world, Buffers& b) {
  return [&](int size_B) {
    const int pairs = world.ranks / 2;
    std::array<MPI_Request, kWindow> requests;
    if (world.rank < pairs) {
      const int to = world.rank + pairs;
      for (MPI_Request& request : requests)
        MPI_Isend(b.out.data(), size_B, MPI_CHAR, to, 2, MPI_COMM_WORLD, &request);
      MPI_Waitall(kWindow, requests.data(), MPI_STATUSES_IGNORE);
      MPI_Recv(b.in.data(), 4, MPI_CHAR, to, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      const int from = world.rank - pairs;
      for (MPI_Request& request : requests)
        MPI_Irecv(b.in.data(), size_B, MPI_CHAR, from, 2, MPI_COMM_WORLD, &request);
      MPI_Waitall(kWindow, requests.data(), MPI_STATUSES_IGNORE);
      MPI_Send(b.out.data(), 4, MPI_CHAR, from, 3, MPI_COMM_WORLD);
    }
  };
}

Call collective(const std::string& name, Buffers& b) {
  const auto floats = [](int size_B) { return size_B / static_cast<int>(sizeof(float)); };
  if (name == "allreduce")
    return [&b, floats](int size_B) {
      MPI_Allreduce(b.out.data(), b.in.data(), floats(size_B), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    };
  if (name == "reduce")
    return [&b, floats](int size_B) {
      MPI_Reduce(b.out.data(), b.in.data(), floats(size_B), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    };
  if (name == "allgather")
    return [&b](int size_B) {
      MPI_Allgather(b.out.data(), size_B, MPI_CHAR, b.in.data(), size_B, MPI_CHAR, MPI_COMM_WORLD);
    };
  if (name == "alltoall")
    return [&b](int size_B) {
      MPI_Alltoall(b.out.data(), size_B, MPI_CHAR, b.in.data(), size_B, MPI_CHAR, MPI_COMM_WORLD);
    };
  return [&b](int size_B) { MPI_Bcast(b.out.data(), size_B, MPI_CHAR, 0, MPI_COMM_WORLD); };
}

// Seconds of a call, on average over the ranks: the least of the batches' means.
double seconds_of(const World& world, const Options& options, const Call& call, int size_B) {
  const auto batch = [&](int calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call(size_B);
    double own = (MPI_Wtime() - begun) / calls, sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum / world.ranks;
  };
  (void)batch(3);  // warms up
  double once = batch(3);
  MPI_Bcast(&once, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const int calls = static_cast<int>(
      std::clamp(options.seconds / kBatches / std::max(once, 1e-9), 1.0, 10'000.0));
  double least = once;
  for (int i = 0; i < kBatches; ++i) least = std::min(least, batch(calls));
  return least;
}

// Who is where, one name for each rank.
std::string hosts_of(const World& world) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
  int length = 0;
  MPI_Get_processor_name(own.data(), &length);
  std::vector<char> all(own.size() * static_cast<std::size_t>(world.ranks));
  MPI_Gather(own.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(), MPI_MAX_PROCESSOR_NAME,
             MPI_CHAR, 0, MPI_COMM_WORLD);
  std::string names;
  for (int r = 0; world.rank == 0 && r < world.ranks; ++r)
    names += ' ' + std::string(&all[own.size() * static_cast<std::size_t>(r)]);
  return names;
}

std::string library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data());
  return whole.substr(0, whole.find_first_of(",\n"));
}

void print_heading(const World& world, const Test& test) {
  const std::string hosts = hosts_of(world);
  if (world.rank != 0) return;
  std::printf("# weft-probe %s Test\n# Library: %s\n# Ranks: %d\n# Hosts:%s\n", test.title,
              library().c_str(), world.ranks, hosts.c_str());
  std::printf("# Each time: the least mean of %d batches of calls\n", kBatches);
  if (std::string_view(test.name) == "mbw_mr")
    std::printf("# [ pairs: %d ] [ window size: %d ]\n", world.ranks / 2, kWindow);
  std::printf("%s\n", test.heading);
}

void print_row(const Test& test, const World& world, int size_B, double seconds) {
  if (std::string_view(test.name) == "latency")
    std::printf("%-10d %18.3f\n", size_B, seconds / 2 * 1e6);
  else if (test.collective)
    std::printf("%-10d %18.3f\n", size_B, seconds * 1e6);
  else {
    const int sent = kWindow * (world.ranks / 2);
    const double messages = sent / seconds;
    std::printf("%-10d %18.3f %18.2f\n", size_B, messages * size_B * 1e-6, messages);
  }
  std::fflush(stdout);
}

std::int64_t number_of(const World& world, const char* text, std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc() || stop != end || number < 1 || number > most)
    refuse(world, std::string("'") + text + "' is not a number from 1 to " + std::to_string(most));
  return number;
}

Options read(const World& world, int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--max" && has_value)
      options.largest_B = number_of(world, argv[++i], 1 << 30);
    else if (argument == "--milliseconds" && has_value)
      options.seconds = 1e-3 * static_cast<double>(number_of(world, argv[++i], 1 << 20));
    else if (options.test.empty() && argument[0] != '-')
      options.test = argument;
    else
      refuse(world, "unknown argument '" + argument +
                        "'; usage: weft-probe TEST [--max BYTES] [--milliseconds OF_EACH_SIZE]");
  }
  return options;
}

int run(const World& world, const Options& options) {
  const auto test = std::find_if(kTests.begin(), kTests.end(),
                                 [&](const Test& each) { return options.test == each.name; });
  std::string known;
  for (const Test& each : kTests) known += (known.empty() ? "" : ", ") + std::string(each.name);
  if (test == kTests.end()) refuse(world, "unknown test '" + options.test + "'; known: " + known);
  if (world.ranks < 2) refuse(world, "one rank does not send; start at least two: mpirun -np 2");
  const std::string name = test->name;
  if (name == "latency" && world.ranks != 2) refuse(world, "latency needs two ranks: mpirun -np 2");
  if (name == "mbw_mr" && world.ranks % 2 != 0)
    refuse(world, "mbw_mr needs an even number of ranks");
  const bool of_all = name == "allgather" || name == "alltoall";
  const auto whole = static_cast<std::size_t>(options.largest_B) *
                     static_cast<std::size_t>(of_all ? world.ranks : 1);
  Buffers buffers{std::vector<char>(std::max<std::size_t>(whole, 4), 0),
                  std::vector<char>(std::max<std::size_t>(whole, 4), 0)};
  const Call call = name == "latency"  ? ping_pong(world, buffers)
                    : name == "mbw_mr" ? streams(world, buffers)
                                       : collective(name, buffers);
  print_heading(world, *test);
  const bool floats = name == "allreduce" || name == "reduce";
  for (std::int64_t size_B = floats ? sizeof(float) : 1; size_B <= options.largest_B; size_B *= 2) {
    const double seconds = seconds_of(world, options, call, static_cast<int>(size_B));
    if (world.rank == 0) print_row(*test, world, static_cast<int>(size_B), seconds);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  const int code = run(world, read(world, argc, argv));
  MPI_Finalize();
  return code;
}
