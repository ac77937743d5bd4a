// The first 128 bits of the SHA-1 of a text that lists the models' version, the row's kind and
// parameters by name, the hash of the graph, the names of its link classes, and the checksums of
// what files add to it. Changing any of that list's meaning without changing kModelVersion would
// serve old results for new rows.
#include "weft/question/row_key.hpp"

#include <fmt/format.h>

#include <boost/uuid/detail/sha1.hpp>

#include "weft/base/error.hpp"
#include "weft/question/parameters.hpp"
#include "weft/question/setup.hpp"

namespace weft::question {

namespace {

std::string hexadecimal_hash(const std::string& text) {
  boost::uuids::detail::sha1 hash;
  hash.process_bytes(text.data(), text.size());
  boost::uuids::detail::sha1::digest_type digest;
  hash.get_digest(digest);
  std::string digits;
  for (const auto word : digest)  // 32-bit words, or bytes in later versions of Boost
    digits += fmt::format("{:0{}x}", word, 2 * sizeof(word));
  return digits.substr(0, 32);
}

}  // namespace

std::string contents_of(const Row& row, const TopologyFacts& topology,
                        const PlacementFacts& placement) {
  std::string text = fmt::format("graph={:016x}\n", topology.hash);
  if (runs_schedule(row.kind)) text += fmt::format("classes={}\n", topology.classes);
  // Speeds of a file count where no speed for all links is given.
  const std::string link = text_in(row.parameters, "link");
  const bool overridden = !link.empty() && link.find('=') > link.find(',');
  if (topology.speeds && runs_schedule(row.kind) && !overridden)
    text += fmt::format("speeds={:08x}\n", *topology.speeds);
  if (placement.content) text += fmt::format("placement={:08x}\n", *placement.content);
  return text;
}

std::string contents_of_files(const Row& row) {
  const std::string expression = text_in(row.parameters, "topology");
  const std::string policy =
      text_in(row.parameters, row.kind == RowKind::order ? "start" : "placement");
  if (!names_file(expression) && !names_file(policy)) return {};
  FactsOfNetworks facts;
  const TopologyFacts& topology = facts.topology(expression);
  const PlacementFacts placement{.ranks = 0, .content = content_of_placement(policy)};
  require(key_of(row, topology, placement) == row.key,
          "a file of {} has changed since the sweep began; sweep again",
          names_file(expression) ? expression : policy);
  return contents_of(row, topology, placement);
}

std::string key_of(const Row& row, const TopologyFacts& topology, const PlacementFacts& placement) {
  std::string text = fmt::format("weft {} {}\n", kModelVersion, name_of(row.kind));
  for (const auto& [name, value] : row.parameters)
    text += fmt::format("{}={}\n", name, to_text(value));
  text += contents_of(row, topology, placement);
  return hexadecimal_hash(text);
}

}  // namespace weft::question
