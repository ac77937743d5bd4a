// The registry's entry of MSCCL XML.
#include "weft/format/format.hpp"

#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/msccl_export.hpp"

namespace weft::format {

namespace {

constexpr std::string_view kUsualProfile = "msccl-executor";

msccl::Protocol protocol_of(const std::string& text) {
  std::vector<std::string> known;
  for (const auto protocol :
       {msccl::Protocol::simple, msccl::Protocol::ll128, msccl::Protocol::ll}) {
    known.emplace_back(name_of(protocol));
    if (text.empty() || lower(known.back()) == lower(text)) return protocol;
  }
  reject("unknown protocol '{}'; {}", text, suggest(text, known));
}

std::vector<File> write(const schedule::Verified& verified, const GpuTarget& target) {
  const msccl::Profile& profile =
      msccl::find_profile(target.profile.empty() ? kUsualProfile : target.profile);
  msccl::ExportOptions options{.profile = profile,
                               .protocol = protocol_of(target.protocol),
                               .instances = target.instances,
                               .min_bytes = target.min_B,
                               .max_bytes = target.max_B,
                               .fuse = target.fuse};
  if (target.in_place)
    options.mode = *target.in_place ? msccl::CallMode::in_place : msccl::CallMode::out_of_place;
  return {{target.path, msccl::write(msccl::build(verified, options), profile)}};
}

}  // namespace

Format msccl_xml() {
  return {.name = "msccl",
          .summary =
              "MSCCL XML: the steps of each GPU's thread blocks, as microsoft/msccl, "
              "Azure's msccl-executor-nccl and RCCL until 2026 run them",
          .loses = "paths of messages, which GPU libraries choose; switches that combine and copy",
          .write_schedule = write};
}

}  // namespace weft::format
