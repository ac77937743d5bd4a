// The registry's entry of MSCCL++ execution plans.
#include "weft/format/format.hpp"

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/mscclpp_export.hpp"

namespace weft::format {

namespace {

using mscclpp::ChannelType;

bool packets_of(const std::string& protocol) {
  const std::string name = lower(protocol);
  require(name.empty() || name == "simple" || name == "ll",
          "unknown protocol '{}' of MSCCL++; use Simple, or LL for packets", protocol);
  return name == "ll";
}

ChannelType channels_of(const std::string& text) {
  const std::string name = lower(text);
  require(name.empty() || name == "memory" || name == "port",
          "unknown channel '{}'; use memory (GPUs that reach each other's memory) or port (a proxy "
          "sends, also between machines)",
          text);
  return name == "port" ? ChannelType::port : ChannelType::memory;
}

std::vector<File> write(const schedule::Verified& verified, const GpuTarget& target) {
  require(target.profile.empty(), "plans of MSCCL++ have no profiles; leave --profile out");
  const mscclpp::ExportOptions options{.packets = packets_of(target.protocol),
                                       .channels = channels_of(target.channel),
                                       .instances = target.instances,
                                       .in_place = target.in_place,
                                       .min_B = target.min_B,
                                       .max_B = target.max_B};
  return {{target.path, mscclpp::write(mscclpp::build(verified, options))}};
}

}  // namespace

Format mscclpp_plan() {
  return {
      .name = "mscclpp",
      .summary =
          "MSCCL++ execution plan: the one-sided operations of each GPU's thread blocks, as the "
          "executor of microsoft/mscclpp runs them",
      .loses = "paths of messages, which GPU libraries choose; switches that combine and copy",
      .write_schedule = write};
}

}  // namespace weft::format
