// What computes: the published peaks of a device, and how much of them layers reach.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/shipped.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::workload {

/// A device file (share/devices, docs/reference/workload-files.md).
struct Device {
  struct Peak {
    std::string precision;  // "fp32", "tf32", "fp16", "bf16", "fp8"
    double operations_per_second = 0;
  };
  struct Efficiency {
    std::optional<LayerKind> kind = {};         // of all that have none of their own
    std::optional<std::string> precision = {};  // likewise
    double share = 1;                           // of the peak, in (0, 1]
  };
  std::string name, path;
  std::string summary;
  std::vector<std::string> sources;
  std::string note;                     // what the efficiencies are taken from
  std::optional<double> memory_B = {};  // of one device; nothing: the file does not state it
  std::vector<Peak> peaks;              // the first is the default
  std::vector<Efficiency> efficiencies;

  /// Throws InvalidInput for a precision without a peak, naming those there are.
  const Peak& peak(std::string_view precision) const;
  /// What layers of a kind reach of the peak: the share of this kind and precision, else of the
  /// kind, else of the precision, else of all.
  double efficiency_of(LayerKind kind, std::string_view precision) const;
};

/// Those that come with weft.
inline constexpr ShippedFiles kDevices{"WEFT_DEVICES", "devices", "device"};

/// Reads a file, or a shipped device by its name. Throws InvalidInput with file and line: unknown
/// keys, missing ones, a kind or a precision without an efficiency.
Device read_device(const std::string& file_or_name);

/// The same of a file's text; `path` leads messages.
Device parse_device(std::string_view text, const std::string& name, const std::string& path);

/// All that come with weft, by name; none where their folder is not found. Throws InvalidInput
/// where one is wrong.
std::vector<Device> devices();

}  // namespace weft::workload
