// The first 128 bits of the SHA-1 of a text that lists the models' version, the row's kind and
// parameters by name, the hash of the graph, the names of its link classes, and the checksums of
// what files add to it. Changing any of that list's meaning without changing kModelVersion would
// serve old results for new rows.
#include "weft/rows/row_key.hpp"

#include "weft/fields/packet_rows.hpp"

#include <fmt/format.h>

#include <boost/uuid/detail/sha1.hpp>

#include "weft/advise/schedule/counts.hpp"
#include "weft/base/error.hpp"

namespace weft::rows {

namespace {

std::string hexadecimal_hash(const std::string& text) {
  boost::uuids::detail::sha1 hash;
  hash.process_bytes(text.data(), text.size());
  boost::uuids::detail::sha1::digest_type digest;
  hash.get_digest(digest);
  std::string digits;
  for (const auto word : digest)  // 32-bit words, or bytes in later versions of Boost
    digits += fmt::format("{:0{}x}", word, 2 * sizeof(word));
  WEFT_ASSERT(digits.size() == 40);  // 160 bits
  return digits.substr(0, 32);
}

}  // namespace

std::string placement_of(const Row& row) {
  return fields::text_in(row.parameters,
                         row.kind->subject == Subject::hosts ? "start" : "placement");
}

std::string contents_of_files(const Row& row) {
  const std::string expression = fields::text_in(row.parameters, "topology");
  const std::string policy = placement_of(row);
  const std::string counts = fields::text_in(row.parameters, "counts");
  const bool of_network = fields::names_file(expression) || fields::names_file(policy);
  const bool of_counts = !counts.empty() && !advise::is_distribution(counts);
  if (!of_network && !of_counts && !row.kind->names_files) return {};
  FactsOfNetworks facts;
  std::string contents = row.kind->contents(row, facts);
  require(key_of(row, contents) == row.key, "a file of {} changed during the sweep; sweep again",
          fields::names_file(expression) ? expression
          : of_network                   ? policy
          : of_counts                    ? counts
                      : fields::text_in(row.parameters, row.kind->needed.front()));
  return contents;
}

std::string key_of(const Row& row, std::string_view contents) {
  std::string text = fmt::format("weft {} {}\n", kModelVersion, row.kind->name);
  for (const auto& [name, value] : row.parameters)
    text += fmt::format("{}={}\n", name, fields::to_text(value));
  return hexadecimal_hash(text.append(contents));
}

std::string part_key(const Row& row, std::initializer_list<fields::Part> parts) {
  const auto asked = [&](fields::Part part) {
    return std::ranges::find(parts, part) != parts.end();
  };
  std::string key = asked(fields::Part::network) ? fields::routing_key(row.parameters) + '\n' : "";
  for (const Field* field : row.kind->fields)
    if (asked(field->part))
      if (const auto found = row.parameters.find(field->name); found != row.parameters.end())
        key.append(field->name).append("=").append(fields::to_text(found->second)).append("\n");
  return key;
}

}  // namespace weft::rows
