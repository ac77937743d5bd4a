// SNDlib's networks, in XML and in its native form:
//
//   ?SNDlib native format; type: network; version: 1.0
//   NODES ( Berlin ( 13.48 52.52 ) Bremen ( 8.80 53.08 ) )
//   LINKS ( L1 ( Berlin Bremen ) 0.00 0.00 0.00 0.00 ( 40.00 4640.00 ) )
//
// Behind the ends of a link stand its installed capacity, what that costs, what routing and set-up
// cost, and the modules that may be bought: those are offers, not speeds. SNDlib's links serve both
// directions, unless the file has each direction as a link.
// Source: sndlib.put.poznan.pl (was sndlib.zib.de), "XML Formats" and "Native Formats", 1.0.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "../text_lines.hpp"
#include "../xml_file.hpp"
#include "graph_text.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

struct Link {
  std::string source, target, capacity;
  bool has_modules = false;
  std::int64_t line = 0;
};

// What both forms say.
class Network {
 public:
  explicit Network(const FabricSource& source)
      : file_(source.file), graph_(source.file, source.options) {}

  void node(const std::string& id, std::int64_t line) { graph_.node(id, {}, line); }
  void link(Link link) { links_.push_back(std::move(link)); }

  // Of demands and, as SNDlib has it, of capacities: "MBITPERSEC".
  void unit(std::string_view text) {
    std::string name = lower(std::string(trim(text)));
    if (name.ends_with("bitpersec"))
      graph_.speeds().set_unit("capacity", name[0] + std::string("bps"));
    if (name == "bitpersec") graph_.speeds().set_unit("capacity", "bps");
  }

  ImportedFabric build() && {
    const bool one_way = has_both_directions();
    bool offers = false;
    for (const Link& link : links_) {
      const auto capacity = number_in<double>(link.capacity);
      const bool installed = capacity.value_or(0) > 0;
      offers = offers || (!installed && link.has_modules);
      GraphAttributes attributes;
      if (installed) attributes.push_back({"capacity", link.capacity});
      const auto from = end(link.source, link.line);
      graph_.edge({.from = from,
                   .to = end(link.target, link.line),
                   .one_way = one_way,
                   .port_from = {},
                   .port_to = {},
                   .link_class = {},
                   .line = link.line},
                  attributes);
    }
    if (offers)
      graph_.log().note(
          "the links have possible modules but no installed capacity; the modules are ignored");
    return built(std::move(graph_).fabric());
  }

 private:
  AttributedGraph::Node end(const std::string& id, std::int64_t line) const {
    const auto node = graph_.find(id);
    if (!node) refuse_at(file_, line, "{} is not a node of the file", printable(id));
    return *node;
  }

  bool has_both_directions() const {
    std::map<std::pair<std::string_view, std::string_view>, std::int64_t> ways;
    for (const Link& link : links_) ++ways[{link.source, link.target}];
    return !links_.empty() && std::ranges::all_of(ways, [&](const auto& way) {
      const auto opposite = ways.find({way.first.second, way.first.first});
      return opposite != ways.end() && opposite->second == way.second;
    });
  }

  const std::string& file_;
  AttributedGraph graph_;
  std::vector<Link> links_;
};

std::string text_in(const pugi::xml_node& node, const char* name) {
  return std::string(trim(node.child(name).text().get()));
}

ImportedFabric read_xml(const FabricSource& source) {
  const XmlFile xml(source.text, source.file, "network", "SNDlib's networks");
  Network network(source);
  const pugi::xml_node structure = xml.root().child("networkStructure");
  if (!structure)
    xml.refuse(xml.root(), "<networkStructure> is missing; check that this is the XML of SNDlib");
  network.unit(text_in(xml.root().child("meta"), "unit"));
  for (const pugi::xml_node node : structure.child("nodes").children("node"))
    network.node(std::string(xml.text(node, "id")), xml.line(node));
  for (const pugi::xml_node link : structure.child("links").children("link")) {
    Link read{.source = text_in(link, "source"),
              .target = text_in(link, "target"),
              .capacity = text_in(link.child("preInstalledModule"), "capacity"),
              .has_modules = !link.child("additionalModules").empty(),
              .line = xml.line(link)};
    if (read.source.empty() || read.target.empty())
      xml.refuse(link, "the link has no <source> or no <target>");
    network.link(std::move(read));
  }
  return std::move(network).build();
}

// Words of the native form; brackets are words of their own, but for those in the free text of the
// section META. # begins a comment.
struct Word {
  std::string_view text;
  std::int64_t line;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  std::int64_t number = 0;
  bool in_meta = false;
  for (std::string_view line : lines_of(text)) {
    ++number;
    line = trim(line.substr(0, line.find('#')));
    if (line.starts_with('?')) continue;
    const bool begins_meta = lower(std::string(line.substr(0, 4))) == "meta";
    in_meta = (in_meta || begins_meta) && line != ")";
    if (in_meta && !begins_meta) {
      for (const std::string_view word : split(line, ' '))
        if (!word.empty() && word != "(" && word != ")") words.push_back({word, number});
      continue;
    }
    while (!(line = trim(line)).empty()) {
      const bool bracket = line[0] == '(' || line[0] == ')';
      const std::size_t end = bracket ? 1 : std::min(line.find_first_of(" \t()"), line.size());
      words.push_back({line.substr(0, end), number});
      line.remove_prefix(end);
    }
  }
  return words;
}

class NativeReader {
 public:
  explicit NativeReader(const FabricSource& source)
      : file_(source.file), words_(words_of(source.text)), network_(source) {}

  ImportedFabric read() && {
    while (at_ < words_.size()) {
      const std::string section = lower(std::string(take()));
      expect("(");
      while (!is(")")) {
        if (section == "nodes")
          read_node();
        else if (section == "links")
          read_link();
        else if (section == "meta")
          read_meta();
        else
          skip();
      }
      expect(")");
    }
    return std::move(network_).build();
  }

 private:
  std::int64_t line() const {
    return words_.empty() ? 1 : words_[std::min(at_, words_.size() - 1)].line;
  }

  std::string_view take() {
    if (at_ >= words_.size()) refuse_at(file_, line(), "the file ends within a section");
    return words_[at_++].text;
  }

  bool is(std::string_view word) const {
    if (at_ >= words_.size()) refuse_at(file_, line(), "the file ends within a section");
    return words_[at_].text == word;
  }

  void expect(std::string_view word) {
    const std::int64_t here = line();
    const std::string_view found = take();
    if (found != word)
      refuse_at(file_, here, "unexpected '{}' (expected {})", printable(found), word);
  }

  // A word, or all between brackets.
  void skip() {
    int depth = 0;
    do {
      const std::string_view word = take();
      if (word == "(") ++depth;
      if (word == ")") --depth;
    } while (depth > 0);
  }

  void read_node() {
    const std::int64_t here = line();
    const std::string_view id = take();
    if (id == "(") refuse_at(file_, here, "the name of a node must come before (");
    network_.node(std::string(id), here);
    if (is("(")) skip();
  }

  void read_link() {
    const std::int64_t here = line();
    take();  // its name
    expect("(");
    Link link;
    link.line = here;
    link.source = take();
    link.target = take();
    expect(")");
    if (!is("(") && !is(")")) link.capacity = take();
    // The costs; the next link begins with a name and a bracket.
    while (!is("(") && !is(")") && number_in<double>(words_[at_].text)) take();
    if (is("(")) {
      link.has_modules = at_ + 1 < words_.size() && words_[at_ + 1].text != ")";
      skip();
    }
    network_.link(std::move(link));
  }

  void read_meta() {
    const std::string key = lower(std::string(take()));
    if (!is("=")) return;
    take();
    if (is(")")) return;
    const std::string_view value = take();
    if (key == "unit") network_.unit(value);
  }

  const std::string& file_;
  std::vector<Word> words_;
  std::size_t at_ = 0;
  Network network_;
};

ImportedFabric read_native(const FabricSource& source) {
  return NativeReader(source).read();
}

bool is_xml(std::string_view text) {
  return begins_with_element(text, "network") && text.find("networkStructure") != text.npos;
}

bool is_native(std::string_view text) {
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = trim(whole);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string words = lower(std::string(line));
    return words.starts_with("?sndlib") && words.find("network") != words.npos;
  }
  return false;
}

}  // namespace

Format sndlib() {
  return {.name = "sndlib",
          .summary = "networks of SNDlib, in XML and in its native form",
          .loses = "demands, costs, and modules that may be installed",
          .read_fabric =
              [](const FabricSource& source) {
                return is_native(source.text) ? read_native(source) : read_xml(source);
              },
          .recognises = [](std::string_view text) { return is_xml(text) || is_native(text); }};
}

}  // namespace weft::format
