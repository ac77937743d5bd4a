// How fast the links of a machine are, by what its files say of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::format::machines {

/// Data rate of one direction, bytes a second, of a PCI Express link whose file says "16 GT/s" or
/// "16.0 GT/s PCIe" and so many lanes; nothing for a speed that is none, or no lanes.
/// Source: PCI Express Base Specification: 2.5 and 5 GT/s spend 2 of 10 bits on their code, 8 to
/// 32 GT/s 2 of 130, 64 GT/s 14 of each 256 bytes.
std::optional<std::int64_t> pci_Bps(std::string_view speed, std::int64_t lanes);

/// Whether a file says so: a speed that pci_Bps() knows, nothing, or "Unknown", as the kernel has
/// it of links that are down.
bool is_pci_speed(std::string_view text);

/// Of one NVLink, by the compute capability of its GPU, 70 for 7.0; nothing where it is unknown.
/// Source: NVIDIA's white papers: P100 20 GB/s; V100, A100 and H100 25; GA102 14.0625; B200 50.
std::optional<std::int64_t> nvlink_Bps(std::int64_t compute_capability);

/// Of one Infinity Fabric link between GPUs, by the name of its GPU's instructions, "gfx942" or
/// "908"; nothing where it is unknown. Source: AMD's data sheets: MI50, MI60 and MI100 46 GB/s;
/// MI200 50; MI300 64; MI350 76.8.
std::optional<std::int64_t> xgmi_Bps(std::string_view instructions);

/// Between two sockets (one direction), as NCCL counts it, since the vendors give no figure by
/// model: src/graph/topo.h of NCCL 2.28. `model` and `family` are those of the processor.
std::optional<std::int64_t> socket_Bps(std::string_view architecture, std::string_view vendor,
                                       std::int64_t family, std::int64_t model);

/// What the class of a PCI device says it is, "0x030200": a GPU (display or accelerator), a card of
/// Ethernet or InfiniBand, an NVSwitch, a processor's end of NVLinks.
enum class PciDevice { gpu, card, nvswitch, processor, other };
PciDevice pci_device(std::string_view device_class);

/// "nvlink" of one link, "nvlink-x4" of four that count as one cable.
std::string bundle(std::string_view name, std::int64_t links);

}  // namespace weft::format::machines
