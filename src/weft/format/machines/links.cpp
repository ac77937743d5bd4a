#include "links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format::machines {

namespace {

constexpr std::int64_t kGB = 1'000'000'000;

struct Lane {
  double transfers_per_s, data;  // data: share of the bits
};
constexpr std::array kLanes{Lane{2.5e9, 8.0 / 10},   Lane{5e9, 8.0 / 10},
                            Lane{8e9, 128.0 / 130},  Lane{16e9, 128.0 / 130},
                            Lane{32e9, 128.0 / 130}, Lane{64e9, 242.0 / 256}};

const Lane* lane_of(std::string_view speed) {
  const std::size_t unit = speed.find("GT/s");
  if (unit == std::string_view::npos) return nullptr;
  const auto transfers = number_in<double>(trim(speed.substr(0, unit)));
  if (!transfers) return nullptr;
  const auto lane = std::ranges::find(kLanes, *transfers * 1e9, &Lane::transfers_per_s);
  return lane == kLanes.end() ? nullptr : lane;
}

}  // namespace

std::optional<std::int64_t> pci_Bps(std::string_view speed, std::int64_t lanes) {
  const Lane* lane = lane_of(speed);
  if (lane == nullptr || lanes <= 0) return std::nullopt;
  return static_cast<std::int64_t>(static_cast<double>(lanes) * lane->transfers_per_s * lane->data /
                                   8);
}

bool is_pci_speed(std::string_view text) {
  return trim(text).empty() || lower(text).starts_with("unknown") || lane_of(text) != nullptr;
}

std::optional<std::int64_t> nvlink_Bps(std::int64_t compute_capability) {
  switch (compute_capability) {
    case 60:
      return 20 * kGB;
    case 70:
    case 72:
    case 80:
    case 90:
      return 25 * kGB;
    case 86:
      return 14'062'500'000;
    case 100:
    case 103:
      return 50 * kGB;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> xgmi_Bps(std::string_view instructions) {
  if (instructions.starts_with("gfx")) instructions.remove_prefix(3);
  struct Rate {
    std::string_view name;
    std::int64_t bandwidth_Bps;
  };
  constexpr std::array kRates{Rate{"906", 46 * kGB}, Rate{"908", 46 * kGB},
                              Rate{"90a", 50 * kGB}, Rate{"910", 50 * kGB},
                              Rate{"940", 64 * kGB}, Rate{"941", 64 * kGB},
                              Rate{"942", 64 * kGB}, Rate{"950", 76'800'000'000}};
  const auto rate = std::ranges::find(kRates, instructions, &Rate::name);
  return rate == kRates.end() ? std::nullopt : std::optional(rate->bandwidth_Bps);
}

std::optional<std::int64_t> socket_Bps(std::string_view architecture, std::string_view vendor,
                                       std::int64_t family, std::int64_t model) {
  if (architecture == "ppc64") return 32 * kGB;
  if (architecture == "arm64") return 6 * kGB;
  if (vendor == "GenuineIntel") {
    if (family != 6) return 6 * kGB;
    if (model >= 0xCF || (model >= 0xAD && model <= 0xAF)) return 40 * kGB;  // Emerald Rapids on
    if (model >= 0x8F) return 22 * kGB;                                      // Sapphire Rapids
    return (model >= 0x55 ? 10 : 6) * kGB;                                   // Skylake; Broadwell
  }
  if (vendor ==
      "AuthenticAMD") {  // families as read from the processor, or as NCCL once wrote them
    if (family == 26 || family == 0xBF) return 32 * kGB;  // Zen 5
    if (family == 25 || family == 0xAF) return 24 * kGB;  // Zen 3, 4
    return 16 * kGB;
  }
  return std::nullopt;
}

PciDevice pci_device(std::string_view device_class) {
  if (device_class.starts_with("0x")) device_class.remove_prefix(2);
  if (device_class.starts_with("03") || device_class.starts_with("12")) return PciDevice::gpu;
  if (device_class.starts_with("0200") || device_class.starts_with("0207")) return PciDevice::card;
  if (device_class.starts_with("068001")) return PciDevice::processor;
  if (device_class.starts_with("0680")) return PciDevice::nvswitch;
  return PciDevice::other;
}

std::string bundle(std::string_view name, std::int64_t links) {
  return links == 1 ? std::string(name) : fmt::format("{}-x{}", name, links);
}

}  // namespace weft::format::machines
