// A kept grid as a TOML file: what it is of, and a line for each row.
#include <fmt/format.h>

#include "weft/base/error.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/study/kept.hpp"
#include "weft/study/kept/sha256.hpp"

namespace weft::study {

namespace {

constexpr std::int64_t kMostModels = 1'000'000;
constexpr std::int64_t kMostRows = 1'000'000;

// JSON, since TOML's reader does not tell 1.0 from 1, as a literal text of TOML, which has no
// quotation mark of its own kind.
std::string toml_of(const Values& values) {
  std::string text;
  for (const char letter : fields::to_json(values))
    text += letter == '\'' ? std::string("\\u0027") : std::string(1, letter);
  return "'" + text + "'";
}

std::string toml_of_rows(const SavedGrid& kept) {
  std::string text = "[numbers]\n";
  for (const auto& [key, values] : kept.numbers)
    text += fmt::format("\"{}\" = {}\n", key, toml_of(values));
  return text;
}

std::string toml_of_facts(const SavedGrid& kept) {
  return fmt::format(
      "version = \"{}\"\nmodels = {}\ndate = \"{}\"\nrows = {}\nstore = \"{}\"\ngrid = "
      "\"{}\"\nclaims = \"{}\"\n",
      kept.version, kept.models, kept.date, kept.rows, kept.store, kept.grid, kept.claims);
}

std::string digest_of_file(const SavedGrid& kept) {
  return sha256(toml_of_facts(kept) + toml_of_rows(kept));
}

Values values_of(const TomlNode& node, const std::string& path) {
  if (node.kind != TomlNode::Kind::text)
    reject_at(path, node.line,
              fmt::format("{} is not a result of a row; store the grid again", node.kind_name()));
  return located(path, node.line, [&] { return fields::values_from_json(node.text); });
}

}  // namespace

std::string kept_file(const SavedGrid& kept) {
  return "# The full grid of an experiment, as weft reproduce --full --keep wrote it; an edit is "
         "found out.\n" +
         toml_of_facts(kept) + fmt::format("file = \"{}\"\n\n", digest_of_file(kept)) +
         toml_of_rows(kept);
}

SavedGrid parse_kept(std::string_view content, const std::string& path) {
  const TomlNode root = parse_toml(content, path);
  TomlTable table(root, "the file", path);
  const auto require_whole = [&](bool is_whole, const char* why) {
    require(is_whole,
            "{}: the file was edited or damaged ({}); store the grid again: weft reproduce NAME "
            "--full --keep",
            path, why);
  };
  for (const char* key : {"version", "models", "date", "rows", "store", "grid", "claims", "file"})
    require_whole(table.has(key), "something is missing");
  SavedGrid kept{.path = path,
                 .version = table.text("version"),
                 .models = static_cast<int>(table.integer("models", 1, kMostModels)),
                 .date = table.text("date"),
                 .rows = table.integer("rows", 1, kMostRows),
                 .store = table.text("store"),
                 .grid = table.text("grid"),
                 .claims = table.text("claims"),
                 .numbers = {}};
  const std::string digest = table.text("file");
  if (const TomlNode* numbers = table.table("numbers"))
    for (const auto& [key, node] : numbers->members) kept.numbers[key] = values_of(node, path);
  table.finish();
  require_whole(digest == digest_of_file(kept), "its content does not match its digest");
  return kept;
}

}  // namespace weft::study
