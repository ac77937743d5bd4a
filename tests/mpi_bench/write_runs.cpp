// Texts for weft-bench run, of all that the algorithms make for a number of ranks: with several
// options and roots without a network, and on each network of that many ranks.
//
//   write_runs RANKS FOLDER STEP
//
// writes FOLDER/K.run for K = 0, STEP, 2 STEP, ... and prints its path; and FOLDER/K.xml.run, the
// same as MSCCL XML of one of the profiles, if it can be.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/every_schedule.hpp"
#include "support/network_on.hpp"
#include "support/small_networks.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::test {
namespace {

constexpr std::int32_t kMostNodes = 72;

class Runs {
 public:
  Runs(std::int32_t ranks, std::string folder, int step)
      : ranks_(ranks), folder_(std::move(folder)), step_(step) {}

  void write_all() {
    for (const algorithm::Algorithm& each : algorithm::algorithms())
      for (const NamedSchedule& named : schedules_of(each, ranks_)) add(named.schedule, nullptr);
    std::vector<std::string> networks = small_networks(kMostNodes);
    networks.insert(networks.end(),
                    {fmt::format("ring:{}", ranks_), fmt::format("uniring:{}", ranks_),
                     fmt::format("complete:{}", ranks_)});
    for (const std::string& expression : networks)
      if (std::ssize(make_topology(expression).hosts()) == ranks_) add_of(on(expression));
  }

 private:
  void add_of(const Network& network) {
    for (const algorithm::Algorithm& each : algorithm::algorithms())
      for (const CollectiveKind kind : each.collectives) {
        const Collective collective{.kind = kind, .ranks = ranks_, .peer = Rank(ranks_ - 1)};
        const algorithm::Context context{collective, &network, {}};
        if (algorithm::misfit(each, context) || algorithm::ranks_apart(collective, network) ||
            (each.too_long != nullptr && each.too_long(context)))
          continue;
        add(build_schedule(each.name, collective, &network), &network.topology());
      }
  }

  // Helpers combine and copy in switches, which an MPI cannot.
  void add(const schedule::Schedule& schedule, const Topology* topology) {
    if (schedule.helpers() > 0 || count_++ % step_ != 0) return;
    const std::int64_t units = schedule.units() * schedule.segments().count;
    const Collective& collective = schedule.collective();
    const Program program = write_out(
        lower(schedule::verify_own(schedule, topology),
              {.size_B = collective.size_is_block() ? units / collective.blocks() : units}),
        topology);
    write(program, {}, ".run");
    write_as_xml(schedule);
  }

  void write_as_xml(const schedule::Schedule& schedule) {
    const format::msccl::Profile& profile =
        format::msccl::profiles()[static_cast<std::size_t>(count_) % 3];
    try {
      const std::string text = format::msccl::write(
          format::msccl::build(schedule::verify_own(expand_symmetry(without_routes(schedule))),
                               {.profile = profile, .instances = 1 + count_ % 2}),
          profile);
      const format::Format& xml = format::find_format("msccl");
      const format::ProgramSource source{.path = "xml",
                                         .read = [&](const std::string&) { return text; }};
      write(xml.read_program(source), xml.read_claim(source), ".xml.run");
    } catch (const InvalidInput&) {
      // The profile cannot express it: another root than rank 0, too many steps.
    }
  }

  void write(const Program& program, std::optional<program::Claim> claim, const char* ending) {
    const std::string path = fmt::format("{}/{}{}", folder_, count_ - 1, ending);
    for (const format::File& file :
         format::find_format("weft-run").write_program(program, {.path = path, .claim = claim})) {
      write_file(file.path, file.content);
      fmt::print("{}\n", file.path);
    }
  }

  std::int32_t ranks_;
  std::string folder_;
  int step_, count_ = 0;
};

}  // namespace
}  // namespace weft::test

int main(int argc, char** argv) {
  if (argc != 4 || std::atoi(argv[1]) < 2 || std::atoi(argv[3]) < 1) {
    fmt::print(stderr, "write_runs RANKS FOLDER STEP; RANKS at least 2, STEP at least 1\n");
    return 2;
  }
  weft::test::Runs(std::atoi(argv[1]), argv[2], std::atoi(argv[3])).write_all();
}
