// The first 128 bits of the SHA-1 of a text that lists the models' version, the row's kind and
// parameters by name, the hash of the graph, the names of its link classes, and the checksums of
// what files add to it. Changing any of that list's meaning without changing kModelVersion would
// serve old results for new rows.
#include "weft/question/row_key.hpp"

#include <fmt/format.h>

#include <boost/uuid/detail/sha1.hpp>

#include "weft/base/error.hpp"

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

std::string placement_of(const Row& row) {
  return text_in(row.parameters, row.kind->subject == Subject::hosts ? "start" : "placement");
}

std::string contents_of_files(const Row& row) {
  const std::string expression = text_in(row.parameters, "topology");
  const std::string policy = placement_of(row);
  const bool of_network = names_file(expression) || names_file(policy);
  if (!of_network && !row.kind->names_files) return {};
  FactsOfNetworks facts;
  std::string contents = row.kind->contents(row, facts);
  require(key_of(row, contents) == row.key, "a file of {} changed during the sweep; sweep again",
          names_file(expression) ? expression
          : of_network           ? policy
                                 : text_in(row.parameters, row.kind->needed.front()));
  return contents;
}

std::string key_of(const Row& row, std::string_view contents) {
  std::string text = fmt::format("weft {} {}\n", kModelVersion, row.kind->name);
  for (const auto& [name, value] : row.parameters)
    text += fmt::format("{}={}\n", name, to_text(value));
  return hexadecimal_hash(text.append(contents));
}

}  // namespace weft::question
