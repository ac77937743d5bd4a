// One list of fields for each kind of facet; the reader and the writer walk the same.
#include "facets_json.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/topology/families/dragonfly/dragonfly.hpp"

namespace weft::topology {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kShapes{"complete", "ring", "path"};

// The names of a kind and of its fields.
template <class F>
constexpr std::string_view kKind = "";
template <>
constexpr std::string_view kKind<Coordinates> = "coordinates";
template <>
constexpr std::string_view kKind<CayleyGroup> = "cayley";
template <>
constexpr std::string_view kKind<Groups> = "groups";
template <>
constexpr std::string_view kKind<KautzView> = "kautz";
template <>
constexpr std::string_view kKind<DragonflyView> = "dragonfly";
template <>
constexpr std::string_view kKind<DragonflyPlusView> = "dragonfly-plus";
template <>
constexpr std::string_view kKind<SlimflyView> = "slimfly";
template <>
constexpr std::string_view kKind<PolarflyView> = "polarfly";
template <>
constexpr std::string_view kKind<XpanderView> = "xpander";
template <>
constexpr std::string_view kKind<XgftView> = "xgft";
template <>
constexpr std::string_view kKind<SwitchGroups> = "switch-groups";

void fields(auto& visit, auto& f, const Coordinates*) {
  visit("dimensions", f.dimensions);
}
void fields(auto& visit, auto& f, const CayleyGroup*) {
  visit("group", f.group);
  visit("elements", f.elements);
}
void fields(auto& visit, auto& f, const Groups*) {
  visit("hosts", f.hosts);
  visit.if_any("levels", f.levels);
}
void fields(auto& visit, auto& f, const KautzView*) {
  visit("degree", f.degree);
  visit("diameter", f.diameter);
}
void fields(auto& visit, auto& f, const DragonflyView*) {
  visit("a", f.a);
  visit("p", f.p);
  visit("h", f.h);
  visit("g", f.g);
  visit("arrangement", f.arrangement);
}
void fields(auto& visit, auto& f, const DragonflyPlusView*) {
  visit("l", f.l);
  visit("s", f.s);
  visit("p", f.p);
  visit("h", f.h);
  visit("g", f.g);
}
void fields(auto& visit, auto& f, const SlimflyView*) {
  visit("q", f.q);
}
void fields(auto& visit, auto& f, const PolarflyView*) {
  visit("q", f.q);
}
void fields(auto& visit, auto& f, const XpanderView*) {
  visit("degree", f.degree);
  visit("copies", f.copies);
  visit("seed", f.seed);
}
void fields(auto& visit, auto& f, const XgftView*) {
  visit("children", f.children);
  visit("parents", f.parents);
}

void fields(auto& visit, auto& f, const SwitchGroups*) {
  visit("switches", f.switches);
  visit("groups", f.groups);
  visit("first", f.first);
}

class Writer {
 public:
  void operator()(const char* name, const std::vector<Dimension>& dimensions) {
    json list = json::array();
    for (const Dimension& d : dimensions)
      list.push_back({{"extent", d.extent},
                      {"shape", kShapes[static_cast<std::size_t>(d.shape)]},
                      {"parallel", d.parallel}});
    object[name] = std::move(list);
  }
  void operator()(const char* name, const Group& group) { object[name] = group.text(); }
  void operator()(const char* name, GlobalArrangement arrangement) {
    object[name] = arrangement_names()[static_cast<std::size_t>(arrangement)];
  }
  void operator()(const char* name, const auto& value) { object[name] = value; }
  void if_any(const char* name, const std::vector<int>& values) {
    if (!values.empty()) object[name] = values;
  }

  json object = json::object();
};

// The paths of the fields.
class Keys {
 public:
  Keys(std::vector<std::string>& paths, std::string path) : paths_(paths), path_(std::move(path)) {
    paths_.push_back(path_);
  }

  void operator()(const char* name, const std::vector<Dimension>&) {
    Keys inner(paths_, path_ + '/' + name);
    for (const char* field : {"extent", "shape", "parallel"}) inner(field, 0);
  }
  void operator()(const char* name, const auto&) { paths_.push_back(path_ + '/' + name); }
  void if_any(const char* name, const std::vector<int>& values) { (*this)(name, values); }

 private:
  std::vector<std::string>& paths_;
  std::string path_;
};

class Reader {
 public:
  Reader(const json& object, std::string where) : object_(object), where_(std::move(where)) {
    require(object_.is_object(), "{} is not an object", where_);
  }

  void operator()(const char* name, int& value) const { value = integer(field(name), name); }
  void operator()(const char* name, std::uint64_t& value) const {
    const json& given = field(name);
    require(given.is_number_unsigned(), "{}: '{}' is not an integer from 0", where_, name);
    value = given.get<std::uint64_t>();
  }
  void operator()(const char* name, std::vector<std::int32_t>& values) const {
    for (const json& each : list(name)) values.push_back(integer(each, name));
  }
  void if_any(const char* name, std::vector<int>& values) const {
    if (object_.contains(name)) (*this)(name, values);
  }
  void operator()(const char* name, Group& group) const {
    const json& given = field(name);
    require(given.is_string(), "{}: '{}' is not a text", where_, name);
    group = Group::parse(given.get_ref<const std::string&>());
  }
  void operator()(const char* name, GlobalArrangement& arrangement) const {
    arrangement = static_cast<GlobalArrangement>(word(field(name), name, arrangement_names()));
  }
  void operator()(const char* name, std::vector<Dimension>& dimensions) const {
    for (const json& each : list(name)) {
      const Reader inner(each, where_ + ": a dimension");
      Dimension dimension;
      inner("extent", dimension.extent);
      inner("parallel", dimension.parallel);
      dimension.shape = static_cast<LineShape>(word(inner.field("shape"), "shape", kShapes));
      dimensions.push_back(dimension);
    }
  }

 private:
  const json& field(const char* name) const {
    const auto found = object_.find(name);
    require(found != object_.end(), "{}: '{}' is missing", where_, name);
    return *found;
  }
  const json& list(const char* name) const {
    const json& found = field(name);
    require(found.is_array(), "{}: '{}' is not an array", where_, name);
    return found;
  }
  int integer(const json& value, const char* name) const {
    const bool fits =
        value.is_number_unsigned() && value.get<std::uint64_t>() <= std::uint64_t{INT32_MAX};
    require(fits, "{}: '{}' needs integers from 0 to {}", where_, name, INT32_MAX);
    return value.get<int>();
  }
  std::size_t word(const json& value, const char* name, const auto& words) const {
    const auto text = value.is_string() ? value.get<std::string>() : std::string();
    const auto found = std::ranges::find(words, text);
    require(found != words.end(), "{}: '{}' is not one of {}", where_, name,
            fmt::join(words, ", "));
    return static_cast<std::size_t>(found - words.begin());
  }

  const json& object_;
  std::string where_;
};

template <class F>
void read_kind(const json& object, const std::string& path, Facets& facets) {
  const auto found = object.find(kKind<F>);
  if (found == object.end()) return;
  Reader reader(*found, fmt::format("{}: facet '{}'", path, kKind<F>));
  F facet;
  fields(reader, facet, static_cast<const F*>(nullptr));
  facets.facets.emplace_back(std::move(facet));
}

template <std::size_t... I>
void read_kinds(const json& object, const std::string& path, Facets& facets,
                std::index_sequence<I...>) {
  (read_kind<std::variant_alternative_t<I, Facet>>(object, path, facets), ...);
}

template <std::size_t... I>
void add_keys(std::vector<std::string>& paths, std::index_sequence<I...>) {
  const auto add = [&]<class F>(F&& facet) {
    Keys keys(paths, fmt::format("facets/{}", kKind<std::remove_cvref_t<F>>));
    fields(keys, facet, &facet);
  };
  (add(std::variant_alternative_t<I, Facet>()), ...);
}

Holes read_holes(const json& holes, const std::string& path) {
  std::vector<std::int32_t> nodes;
  Reader(holes, path + ": 'holes'")("nodes", nodes);
  require(std::ranges::adjacent_find(nodes, std::greater_equal<>()) == nodes.end(),
          "{}: nodes of 'holes' are not in ascending order", path);
  return Holes(std::move(nodes));
}

}  // namespace

std::string facets_text(const Facets& facets) {
  std::string text;
  json all = json::object();
  for (const Facet& facet : facets.facets)
    std::visit(
        [&]<class F>(const F& one) {
          Writer writer;
          fields(writer, one, &one);
          all[kKind<F>] = std::move(writer.object);
        },
        facet);
  if (!all.empty()) text += ",\n\"facets\": " + all.dump();
  if (!all.empty() && facets.holes)
    text += ",\n\"holes\": " + json{{"nodes", facets.holes->failed_nodes()}}.dump();
  return text;
}

std::vector<std::string> facet_keys() {
  std::vector<std::string> paths{"facets", "holes", "holes/nodes"};
  add_keys(paths, std::make_index_sequence<std::variant_size_v<Facet>>());
  return paths;
}

Facets read_facets(const json& root, const std::string& path) {
  Facets facets;
  const auto given = root.find("facets");
  if (given == root.end()) return facets;
  require(given->is_object(), "{}: 'facets' is not an object", path);
  read_kinds(*given, path, facets, std::make_index_sequence<std::variant_size_v<Facet>>());
  if (const auto holes = root.find("holes"); holes != root.end())
    facets.holes = read_holes(*holes, path);
  return facets;
}

}  // namespace weft::topology
