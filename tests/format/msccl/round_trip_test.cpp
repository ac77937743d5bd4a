// Every algorithm out as MSCCL XML and back to a schedule: the same transfers of every byte, each
// with the same landings before it, in no more steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "support/every_schedule.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "support/small_networks.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/format/msccl.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::msccl {
namespace {

using schedule::Agent;
using schedule::Arrival;

// One byte in one message.
struct Transfer {
  std::int32_t from, to;
  std::int64_t byte;
  Arrival arrival;

  friend auto operator<=>(const Transfer&, const Transfer&) = default;
};

// Sorted: the transfers, and each with a landing of what it carries.
struct Moves {
  std::vector<Transfer> transfers;
  std::vector<std::pair<Transfer, Transfer>> dependencies;
};

// Follows a schedule, lowered to a size, by its steps: sends read what is there before the step.
class Follower {
 public:
  explicit Follower(const Program& program)
      : program_(write_out(program)),
        bytes_(program.collective()->total_bytes(program.size_B())),
        landed_(static_cast<std::size_t>(program.agents() * bytes_)) {
    const program::Operations& operations = *program_.operations();
    for (std::size_t first = 0, end = 0; first < operations.messages().size(); first = end) {
      while (end < operations.messages().size() &&
             operations.messages()[end].step == operations.messages()[first].step)
        ++end;
      follow_step(operations.messages().subspan(first, end - first));
    }
    std::ranges::sort(moves_.transfers);
    std::ranges::sort(moves_.dependencies);
  }

  Moves moves() && { return std::move(moves_); }

 private:
  // What made the version that an agent has of a byte.
  std::vector<Transfer>& landings(std::int32_t agent, std::int64_t byte) {
    return landed_[static_cast<std::size_t>(agent * bytes_ + byte)];
  }

  void follow_step(std::span<const program::Operations::MessageEnds> messages) {
    std::vector<Transfer> step;
    for (const auto& ends : messages) {
      const program::Operation& receive = program_.operations()->of(ends.to)[ends.receive];
      const Arrival arrival =
          receive.kind == program::OperationKind::receive ? Arrival::copy : Arrival::reduce;
      if (ends.from == ends.to) continue;  // no transfer in XML, where it is a copy in place
      for (const program::ByteRange& range : program_.operations()->writes(receive))
        for (std::int64_t byte = range.offset_B; byte < range.offset_B + range.bytes; ++byte)
          step.push_back({ends.from.value(), ends.to.value(), byte, arrival});
    }
    for (const Transfer& transfer : step)
      for (const Transfer& landing : landings(transfer.from, transfer.byte))
        moves_.dependencies.emplace_back(transfer, landing);
    for (const Transfer& transfer : step) {
      std::vector<Transfer>& made_by = landings(transfer.to, transfer.byte);
      if (transfer.arrival == Arrival::copy) made_by.clear();
      made_by.push_back(transfer);
    }
    moves_.transfers.insert(moves_.transfers.end(), step.begin(), step.end());
  }

  Program program_;
  std::int64_t bytes_;
  std::vector<std::vector<Transfer>> landed_;  // by agent and byte
  Moves moves_;
};

Moves moves_of(const schedule::Verified& verified, std::int64_t size_B) {
  return Follower(lower(verified, {.size_B = size_B})).moves();
}

// Bytes of a call at which each unit of the schedule is whole bytes.
std::int64_t size_of_units(const schedule::Schedule& schedule) {
  const std::int64_t units = schedule.units_per_block() * schedule.segments().count;
  const schedule::Collective& collective = schedule.collective();
  return collective.size_is_block() ? units : units * collective.ranks;
}

ReadCollective read_back(const std::string& text) {
  return find_format("msccl").read_collective(
      {.path = "back.xml", .read = [&](const std::string&) { return text; }});
}

// Whether it was judged; limits of a profile leave some out.
bool judge(const std::string& label, const schedule::Schedule& made, int number) {
  if (made.helpers() > 0 || made.collective().kind == schedule::CollectiveKind::point_to_point)
    return false;
  const auto verified = schedule::verify_own(expand_symmetry(without_routes(made)));
  const Profile& profile = profiles()[static_cast<std::size_t>(number % 3)];
  const int instances = 1 + number / 3 % 2;
  const bool fuse = number % 4 != 0;
  std::string text;
  try {
    text =
        write(build(verified, {.profile = profile, .instances = instances, .fuse = fuse}), profile);
  } catch (const InvalidInput&) {
    return false;
  }
  const ReadCollective read = read_back(text);
  const auto* const back = std::get_if<schedule::Verified>(&read.outcome);
  if (const auto* const fault = std::get_if<program::ProgramFault>(&read.outcome))
    ADD_FAILURE() << label << ": " << fault->text;
  else if (back == nullptr)
    ADD_FAILURE() << label << ": " << read.note;
  if (back == nullptr) return true;
  EXPECT_EQ(back->schedule().collective(), made.collective()) << label;
  // A step that also sends on holds up those behind it, which may make more steps.
  EXPECT_TRUE(fuse || back->schedule().steps() <= made.steps()) << label;
  // Instances are more segments, as far as transfers go.
  const schedule::Verified all = verified.with_segments(made.segments().count * instances);
  const std::int64_t size_B =
      std::lcm(size_of_units(all.schedule()), size_of_units(back->schedule()));
  const Moves out = moves_of(all, size_B), in = moves_of(*back, size_B);
  EXPECT_TRUE(out.transfers == in.transfers) << label << ", instances " << instances;
  EXPECT_TRUE(out.dependencies == in.dependencies) << label << ", instances " << instances;
  return true;
}

class RoundTripOfMsccl : public testing::TestWithParam<std::string> {};

TEST_P(RoundTripOfMsccl, keeps_transfers_and_what_they_wait_for) {
  int judged = 0, number = 0;
  for (const std::int32_t ranks : test::samples_between(2, 17))
    for (const auto& [label, schedule, options] :
         test::schedules_of(algorithm::find_algorithm(GetParam()), ranks))
      judged += judge(label, schedule, number++) ? 1 : 0;
  EXPECT_GE(judged, number / 4);
}

TEST_P(RoundTripOfMsccl, keeps_them_on_small_networks) {
  const algorithm::Algorithm& algorithm = algorithm::find_algorithm(GetParam());
  const std::int32_t most_ranks = test::share_of_samples() < 1 ? 9 : 18;
  int number = 0;
  for (const std::string& expression : test::samples(test::small_networks(64))) {
    const Network network = test::on(expression);
    for (const CollectiveKind kind : algorithm.collectives) {
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      const algorithm::Context context{collective, &network, {}};
      if (network.ranks() < 2 || network.ranks() > most_ranks ||
          kind == CollectiveKind::point_to_point || algorithm::misfit(algorithm, context) ||
          algorithm::ranks_apart(collective, network) ||
          (algorithm.too_long != nullptr && algorithm.too_long(context)))
        continue;
      judge(fmt::format("{} {} on {}", algorithm.name, name_of(kind), expression),
            build_schedule(algorithm.name, collective, &network), number++);
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    if (!algorithm.collectives.empty()) result.push_back(algorithm.name);
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, RoundTripOfMsccl, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace weft::format::msccl
