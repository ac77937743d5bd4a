#include "nccl_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "links.hpp"
#include "weft/base/suggest.hpp"

namespace weft::format::machines {

namespace {

using pugi::xml_node;

constexpr std::int64_t kMany = 100'000;

bool is(const xml_node& node, std::string_view name) {
  return node.name() == name;
}

// "0000:1b:00.0", or what a file has in its place.
bool is_bus_id(std::string_view text) {
  return text.find(':') != std::string_view::npos &&
         text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

std::string key_of(std::string_view system, std::string_view bus) {
  return fmt::format("{}/{}", system, weft::lower(bus));
}

}  // namespace

void NcclLinks::add_gpu(std::string_view bus, NcclGpu gpu) {
  gpu_by_bus_.emplace(key_of(gpu.system, bus), gpus_.size());
  gpus_.push_back(std::move(gpu));
}

void NcclLinks::add_place(std::string_view system, std::string_view bus, xml_node element) {
  places_.emplace(key_of(system, bus), element);
}

void NcclLinks::connect() {
  for (const NcclGpu& gpu : gpus_) add_links(gpu);
  join_peers();
  join_nvswitch();
}

void NcclLinks::add_links(const NcclGpu& gpu) {
  for (const xml_node link : gpu.element.children()) {
    if (is(link, "nvlink") || is(link, "xgmi")) add_link(gpu, link);
    if (is(link, "c2c")) add_c2c(gpu, link);
  }
}

void NcclLinks::add_c2c(const NcclGpu& gpu, const xml_node& link) {
  const auto count = file_.integer(link, "count", 1, 1000).value_or(1);
  const auto each = file_.integer(link, "bw", 1, INT32_MAX);  // MB/s
  if (!each) file_.refuse(link, "<c2c> has no bw");
  builder_.cable(gpu.node, {}, gpu.cpu, {},
                 {.bandwidth_Bps = *each * count * 1'000'000, .link_class = "c2c"});
}

std::optional<std::int64_t> NcclLinks::rate_of(const NcclGpu& gpu, const xml_node& link) const {
  if (is(link, "xgmi")) return xgmi_Bps(gpu.element.attribute("gcn").value());
  return nvlink_Bps(file_.integer(gpu.element, "sm", 0, kMany).value_or(0));
}

void NcclLinks::add_link(const NcclGpu& gpu, const xml_node& link) {
  const auto count = file_.integer(link, "count", 1, 1000);
  if (!count) file_.refuse(link, "<{}> has no number of links", link.name());
  const auto rate = rate_of(gpu, link);
  const FabricBuilder::Facts facts{
      .bandwidth_Bps = rate ? std::optional(*rate * *count) : std::nullopt,
      .link_class = bundle(link.name(), *count),
      .line = file_.line(link)};
  switch (pci_device(file_.text(link, "tclass"))) {
    case PciDevice::gpu:
      return add_peer(gpu, link, *count, facts);
    case PciDevice::nvswitch:
      to_nvswitch_[gpu.node].push_back({*count, rate});
      return;
    case PciDevice::processor:
      return builder_.cable(gpu.node, {}, gpu.cpu, {}, facts);
    default:
      break;
  }
  file_.refuse(link,
               "tclass {} is not a GPU (0x03...), NVSwitch (0x0680...) or processor (0x068001)",
               link.attribute("tclass").value());
}

// GPUs tell their links from both ends.
void NcclLinks::add_peer(const NcclGpu& gpu, const xml_node& link, std::int64_t count,
                         const FabricBuilder::Facts& facts) {
  const std::string_view bus = file_.text(link, "target");
  const std::string key = key_of(gpu.system, bus);
  const auto found = gpu_by_bus_.find(key);
  if (found == gpu_by_bus_.end()) {
    const auto other = places_.find(key);
    if (other != places_.end() &&
        pci_device(other->second.attribute("class").value()) != PciDevice::gpu)
      file_.refuse(link, "target {} is not a GPU; its place is at {}", bus,
                   file_.place(other->second));
    if (!is_bus_id(bus))
      file_.refuse(link, "target '{}' is not a busid of a GPU, such as 0000:1b:00.0", bus);
    return builder_.log().mend("left out, because the file lacks their other GPUs",
                               fmt::format("links to {}", bus), file_.line(link));
  }
  const Node peer = gpus_[found->second].node;
  if (peer == gpu.node)
    return builder_.log().mend("left out, because both ends are one GPU",
                               fmt::format("{} links of {} to itself", count, bus),
                               file_.line(link));
  const auto ends = std::minmax(gpu.node, peer);
  Peers& peers = peers_[ends];
  std::int64_t& own = gpu.node < peer ? peers.from_lower : peers.from_upper;
  if (own != 0) file_.refuse(link, "the links to {} are repeated", bus);
  own = count;
  peers.element = link;
  peers.facts = facts;
}

void NcclLinks::join_peers() {
  for (const auto& [ends, peers] : peers_) {
    if (peers.from_lower != peers.from_upper)
      file_.refuse(peers.element,
                   "one end has {} links and the other {}; the file is truncated or edited",
                   std::max(peers.from_lower, peers.from_upper),
                   std::min(peers.from_lower, peers.from_upper));
    builder_.cable(ends.first, {}, ends.second, {}, peers.facts);
  }
}

void NcclLinks::join_nvswitch() {
  if (to_nvswitch_.empty()) return;
  const Node nvswitch = builder_.node("NVSwitch", "the-NVSwitch", NodeKind::switch_node);
  for (const auto& [gpu, bundles] : to_nvswitch_) {
    std::int64_t links = 0;
    for (const Bundle& each : bundles) links += each.links;
    const auto rate = bundles.front().rate_Bps;
    builder_.cable(gpu, {}, nvswitch, {},
                   {.bandwidth_Bps = rate ? std::optional(*rate * links) : std::nullopt,
                    .link_class = bundle("nvlink", links)});
  }
}

}  // namespace weft::format::machines
