#include "weft/testbed/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"

namespace weft::testbed {

namespace {

constexpr double kMicrosecond_ps = 1e6;
/// Tokens of so much time: a processor that is late by less loses no rate, and messages that are
/// shorter are not held up.
constexpr std::int64_t kBucketsPerSecond = 250;
constexpr std::int64_t kLeastBucket_B = 16 << 10, kMostBucket_B = 64 << 10;
/// What waits behind so much is lost. A queue of 200 ms was 125 KB at 5 Mbit/s, and each longer
/// message lost packets and waited for them.
constexpr std::int64_t kQueue_B = 1'250'000;

std::string batch(std::string_view program, const std::string& lines) {
  if (lines.empty()) return {};
  return fmt::format("{} -batch - <<'END'\n{}END\n", program, lines);
}

std::string links(const Layout& layout) {
  std::string lines;
  for (const Wire& wire : layout.wires)
    lines += fmt::format("link add {0} netns {1} type veth peer name {0} netns {2}\n", wire.device,
                         layout.machines[wire.tail.index()].space,
                         layout.machines[wire.head.index()].space);
  return lines;
}

// A bridge without ports holds the host's address: it is up whatever its cables do.
std::string own_address(const Machine& machine) {
  if (machine.address.empty()) return {};
  return fmt::format("link add host0 type bridge\naddr add {}/16 dev host0\nlink set host0 up\n",
                     machine.address);
}

std::string ends(const Layout& layout, NodeId node) {
  std::string lines;
  for (const Wire& wire : layout.wires) {
    if (wire.tail != node && wire.head != node) continue;
    const bool tail = wire.tail == node;
    lines += fmt::format("addr add {} peer {}/32 dev {}\nlink set {} up\n",
                         tail ? wire.tail_address : wire.head_address,
                         tail ? wire.head_address : wire.tail_address, wire.device, wire.device);
  }
  return lines;
}

std::string routes(const Layout& layout, NodeId node) {
  std::string lines;
  const std::string& own = layout.machines[node.index()].address;
  std::set<std::string> ruled;
  for (const NextHop& way : layout.ways[node.index()]) {
    lines += fmt::format("route add {}/32 via {} dev {}", way.to, way.via,
                         layout.wires[static_cast<std::size_t>(way.wire)].device);
    if (way.from.empty()) {
      lines += own.empty() ? "\n" : fmt::format(" src {}\n", own);
      continue;
    }
    lines += fmt::format(" table {}\n", way.table);
    if (ruled.insert(way.from).second)
      lines += fmt::format("rule add from {}/32 lookup {}\n", way.from, way.table);
  }
  return lines;
}

std::string rates(const Layout& layout, NodeId node) {
  std::string lines;
  for (const Wire& wire : layout.wires)
    if (wire.tail == node || (wire.head == node && wire.two_way))
      lines += rate_commands(layout, wire);
  return lines;
}

// Two classes without a limit, that of messages over a token bucket: a class's own tokens go into
// debt for a packet, of 64 KB before a card cuts it, which the bucket cuts first.
std::string bucket_with_free_acknowledgements(const std::string& device, std::int64_t rate_Bps,
                                              std::int64_t bucket_B) {
  std::string lines = fmt::format("qdisc add dev {} root handle 1: htb default 1\n", device);
  for (const int number : {1, 2})
    lines +=
        fmt::format("class add dev {} parent 1: classid 1:{} htb rate 10gbit\n", device, number);
  lines += fmt::format(
      "qdisc add dev {} parent 1:1 handle 10: tbf rate {}bit burst {} latency {}ms\n", device,
      8 * rate_Bps, bucket_B, std::max<std::int64_t>(1, kQueue_B * 1000 / rate_Bps));
  // The length of the packet, at byte 2 of its header.
  lines += fmt::format(
      "filter add dev {} parent 1: protocol ip prio 1 u32 match u16 0 0xff80 at 2 flowid 1:2\n",
      device);
  return lines;
}

}  // namespace

std::string rate_commands(const Layout& layout, const Wire& wire) {
  const std::int64_t rate_Bps = layout.options.rate_Bps, delay_ps = layout.options.delay_ps;
  WEFT_ASSERT(rate_Bps > 0 && delay_ps >= 0);
  const std::int64_t bucket_B =
      std::clamp(rate_Bps / kBucketsPerSecond, kLeastBucket_B, kMostBucket_B);
  std::string lines = bucket_with_free_acknowledgements(wire.device, rate_Bps, bucket_B);
  if (delay_ps == 0) return lines;
  for (const char* parent : {"10:1", "1:2"})
    lines += fmt::format("qdisc add dev {} parent {} netem delay {:.6g}us limit 100000\n",
                         wire.device, parent, static_cast<double>(delay_ps) / kMicrosecond_ps);
  return lines;
}

std::string up_script(const Layout& layout) {
  std::string spaces, text = "set -e\n";
  for (const Machine& machine : layout.machines)
    spaces += fmt::format("netns add {}\n", machine.space);
  text += batch("ip", spaces);
  // Before there are devices, which take over what is the default then.
  for (const Machine& machine : layout.machines)
    text += fmt::format(
        "ip netns exec {} sh -c 'cd /proc/sys/net/ipv4 && echo 1 >ip_forward && "
        "echo 0 >conf/all/rp_filter && echo 0 >conf/default/rp_filter'\n",
        machine.space);
  text += batch("ip", links(layout));
  for (std::size_t n = 0; n < layout.machines.size(); ++n) {
    const NodeId node(n);
    const Machine& machine = layout.machines[n];
    text += batch("ip -n " + machine.space, "link set lo up\n" + own_address(machine) +
                                                ends(layout, node) + routes(layout, node));
    text += batch("tc -n " + machine.space, rates(layout, node));
  }
  return text;
}

std::string down_script(const std::string& id) {
  return fmt::format(
      "spaces=$(ip netns list | sed -n 's/^\\(weft-{}-[0-9][0-9]*\\)\\( .*\\)*$/\\1/p')\n"
      // Again, for what they started meanwhile.
      "for pass in 1 2 3; do\n"
      "  for space in $spaces; do\n"
      "    for process in $(ip netns pids $space); do kill -9 $process 2>/dev/null || :; done\n"
      "  done\n"
      "done\n"
      "for space in $spaces; do ip netns del $space || :; done\n",
      id);
}

}  // namespace weft::testbed
