// The fields that kinds share: how each is called, what stands for it where nothing is said, what
// it decides, and how its text is read. A kind's own fields are in its file.
//
// A field reads what a user wrote as a value of its type, and shows that value in the one canonical
// way; so two ways to write one thing are one row, and code that answers gets the type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weft/fields/field.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::fields {

/// A field with the type of its values.
template <class T>
struct TypedField : Field {
  T (*read)(std::string_view name, std::string_view text);
  Value (*show)(const T& value);

  /// The same with the help of the commands that have it as an option.
  constexpr TypedField helped(std::string_view text) const {
    TypedField field = *this;
    field.help = text;
    return field;
  }
  constexpr TypedField numbered() const {
    TypedField field = *this;
    field.number = true;
    return field;
  }
  constexpr TypedField flagged() const {
    TypedField field = *this;
    field.flag = true;
    return field;
  }
  constexpr TypedField repeatable() const {
    TypedField field = *this;
    field.repeated = true;
    return field;
  }
  /// The same as an option that only --help-all shows.
  constexpr TypedField as_advanced() const {
    TypedField field = *this;
    field.advanced = true;
    return field;
  }
  /// The row's value; `missing` where it has none.
  T in(const Values& parameters, const T& missing = {}) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? missing : read(name, to_text(found->second));
  }
};

/// A field whose text `read` reads and `show` shows.
template <auto read, auto show>
constexpr auto field(std::string_view name, std::string_view fallback, Part part = Part::run,
                     Ranges ranges = Ranges::none) {
  using T = std::invoke_result_t<decltype(read), std::string_view, std::string_view>;
  constexpr auto canonical = [](std::string_view its_name, std::string_view text) -> Value {
    return show(read(its_name, text));
  };
  constexpr auto as_value = [](const T& value) -> Value { return show(value); };
  return TypedField<T>{{name, fallback, part, canonical, ranges, {}, false}, read, as_value};
}

/// Shows what is a value already.
template <class T>
Value as_is(const T& value) {
  return value;
}

/// Integers from `least` to `most`.
std::int64_t read_count(std::string_view name, std::string_view text, std::int64_t least,
                        std::int64_t most);
inline constexpr std::int64_t kMany = 1 << 30;
template <std::int64_t least, std::int64_t most = kMany>
std::int64_t count_from(std::string_view name, std::string_view text) {
  return read_count(name, text, least, most);
}
template <std::int64_t least, std::int64_t most = kMany>
constexpr auto count(std::string_view name, std::string_view fallback, Part part = Part::run,
                     Ranges ranges = Ranges::none) {
  return field<count_from<least, most>, as_is<std::int64_t>>(name, fallback, part, ranges)
      .numbered();
}

/// "true" or "false"; as an option, a flag.
bool read_truth(std::string_view name, std::string_view text);
constexpr auto truth(std::string_view name, Part part = Part::run) {
  return field<read_truth, as_is<bool>>(name, "false", part).flagged();
}

/// Text that `read` makes canonical.
template <auto read>
constexpr auto text(std::string_view name, std::string_view fallback, Part part = Part::run) {
  return field<read, as_is<std::string>>(name, fallback, part);
}
/// As the user wrote it.
std::string any_text(std::string_view name, std::string_view text);

/// One of some names; case is ignored, and '_' is '-'.
std::string listed_name(std::string_view name, std::string_view text,
                        const std::vector<std::string>& known);

/// Times, in picoseconds.
std::int64_t read_time(std::string_view name, std::string_view text);
Value show_time(const std::int64_t& time_ps);
constexpr auto time(std::string_view name, std::string_view fallback, Part part = Part::run) {
  return field<read_time, show_time>(name, fallback, part);
}
/// Rates, in bytes per second.
std::int64_t read_rate(std::string_view name, std::string_view text);
Value show_rate(const std::int64_t& rate_Bps);
/// Sizes, in bytes, shown with their unit.
std::int64_t read_size(std::string_view name, std::string_view text);
Value show_size(const std::int64_t& size_B);
constexpr auto bytes(std::string_view name, std::string_view fallback) {
  return field<read_size, show_size>(name, fallback);
}

/// Whether the values of a field are sizes, or times.
bool is_size(const Field& field);
bool is_time(const Field& field);

/// Shows one of an enumeration's values.
template <class E>
Value show_name(const E& value) {
  return std::string(name_of(value));
}

/// Gives up the name, which readers of other rooms do not ask for.
template <auto parse>
auto unnamed(std::string_view, std::string_view text) {
  return parse(text);
}

/// A name of an enumeration's values, as `parse` reads it.
template <auto parse>
constexpr auto choice(std::string_view name, std::string_view fallback, Part part = Part::run) {
  using E = std::invoke_result_t<decltype(parse), std::string_view>;
  return field<unnamed<parse>, show_name<E>>(name, fallback, part);
}

std::string topology_text(std::string_view name, std::string_view text);
inline constexpr auto kTopology =
    text<topology_text>("topology", "", Part::network)
        .helped("Network, such as torus:4x4 or file:net.json; see weft list topologies");

/// "BW,LAT" and "CLASS=BW,LAT" separated by ';', as values of several --link are kept.
LinkOptions read_links(std::string_view name, std::string_view text);

/// "BW,LAT,SWITCH,PAYLOAD" and "CLASS=..." separated by ';', of links whose speed is left open.
topology::LinkDefaults read_link_defaults(std::string_view name, std::string_view text);
Value show_link_defaults(const topology::LinkDefaults& defaults);
/// What a machine's profile says of open speeds.
inline constexpr auto kLinkDefault =
    field<read_link_defaults, show_link_defaults>("link-default", "", Part::network)
        .helped(
            "Speed of links whose speed the network leaves open, as machine files give it: "
            "BW,LAT,SWITCH,PAYLOAD, or CLASS=... for a class of links; repeatable [the machine's]")
        .repeatable()
        .as_advanced();

/// A file of a machine (machine_model.hpp), whose values stand beneath those that a row says.
inline constexpr auto kMachine = text<any_text>("machine", "", Part::network);
inline constexpr auto kRate = field<read_rate, show_rate>("bandwidth", "25Gbps");
inline constexpr auto kBuffer = bytes("buffer", "1MiB");
inline constexpr auto kPrices =
    text<any_text>("prices", "shipped")
        .helped("Price list in TOML; shipped is the list that comes with weft");

/// Which ranks a collective names.
enum class Ends : std::uint8_t { all, source, none };

/// The fields of a kind that runs schedules, in the order of docs/reference/experiment-fields.md.
struct ScheduleFields {
  bool sized = false;      // size
  bool started = false;    // alpha
  bool simulated = false;  // models, their readings, packets, the costs of hosts
  bool placed = true;      // what places ranks (placing_members()); else their number alone
  Ends ends = Ends::all;   // root, from, to; from alone; to alone
};
std::vector<const Field*> schedule_fields(const ScheduleFields& which,
                                          std::vector<const Field*> own = {});

/// Whether the row's value of the field is the default.
bool is_default(const Field& field, const Values& parameters);

/// The field of this name among those of runs of schedules; null where none has it.
const Field* find_run_field(std::string_view name);

}  // namespace weft::fields
