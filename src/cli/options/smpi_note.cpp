#include "cli/options/smpi_note.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace weft::cli {

namespace {

struct Setting {
  std::string_view field;
  std::string_view value;
};

constexpr std::array<Setting, 4> kSettings{
    {{"sharing", "smpi"}, {"receives", "in-step"}, {"eager", "64KiB"}, {"header", "16B"}}};

}  // namespace

std::string smpi_note(const GivenFields& said) {
  if (!said.of("factors") || !said.text("factors").starts_with("smpi-")) return "";
  std::string missing;
  for (const auto& [field, value] : kSettings)
    if (!said.of(field)) missing += fmt::format(" --{} {}", field, value);
  const bool is_routed = said.of("routing");
  if (missing.empty() && is_routed) return "";
  return fmt::format(
      "only the factors of SMPI are in use; to get the times of SMPI, add{}{}", missing,
      is_routed         ? ""
      : missing.empty() ? " the routes of its platform, such as --routing shortest"
                        : " and the routes of its platform, such as --routing shortest");
}

}  // namespace weft::cli
