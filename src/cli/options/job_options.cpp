#include "cli/options/job_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/fields/fields.hpp"

namespace weft::cli {

void add_job_options(const OptionAdder& add, GivenFields& said) {
  add.members(said, fields::job_members());
}

std::vector<std::string> job_options() {
  return options_of(fields::job_members());
}

void check_job(const Given& given, const GivenFields& said) {
  if (has_several_ranks(said))
    given.refuse({"--ranks", "--placement"},
                 "with --per-host, which sets the number of ranks on each host; choose hosts with "
                 "--hosts");
}

bool has_several_ranks(const GivenFields& said) {
  return fields::placing_in(said.values).per_host != topology::PlacementOptions().per_host;
}

bool is_of_job(std::string_view field) {
  return std::ranges::any_of(fields::job_members(),
                             [&](const auto& member) { return member.field->name == field; });
}

std::vector<std::string> job_words(const GivenFields& said) {
  std::vector<std::string> words;
  for (const auto& member : fields::job_members()) {
    const auto* const field = member.field;
    if (!said.of(field->name)) continue;
    const auto canonical = [field](std::string_view text) {
      return fields::to_text(field->canonical(field->name, text));
    };
    const std::string text = canonical(said.text(field->name));
    if (text != canonical(field->fallback))
      words.push_back(fmt::format("--{} {}", field->name, text));
  }
  return words;
}

}  // namespace weft::cli
