// Protobuf's bytes put together by hand: a judge of what the library reads, and of any damage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::test::wire {

inline std::string varint(std::uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<char>(number | 0x80));
  bytes.push_back(static_cast<char>(number));
  return bytes;
}

inline std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}

inline std::string bytes(int field, std::string_view value) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(value.size()) +
         std::string(value);
}

/// A message of a trace's file, with its length before it.
inline std::string frame(std::string_view message) {
  return varint(message.size()) + std::string(message);
}

inline std::string header() {
  return frame(bytes(1, "0.0.4"));
}

/// An attribute of a node: the field that its value has and the value's bytes.
inline std::string attribute(std::string_view name, std::string_view value) {
  return bytes(10, bytes(1, name) + std::string(value));
}
inline std::string int32(std::string_view name, std::int64_t value) {
  return attribute(name, number(7, static_cast<std::uint64_t>(value)));
}
inline std::string int64(std::string_view name, std::int64_t value) {
  return attribute(name, number(9, static_cast<std::uint64_t>(value)));
}
inline std::string text(std::string_view name, std::string_view value) {
  return attribute(name, bytes(29, value));
}

inline constexpr int kMetadata = 1, kLoad = 2, kCompute = 4, kSend = 5, kReceive = 6,
                     kCollective = 7;

/// A node with its length; `rest` are further fields.
inline std::string node(std::uint64_t id, int type, std::string_view rest = {}) {
  return frame(number(1, id) + bytes(2, "a node") + number(3, static_cast<std::uint64_t>(type)) +
               std::string(rest));
}

/// Fields of a node.
inline std::string after(std::uint64_t id) {
  return number(5, id);
}
inline std::string micros(std::uint64_t duration) {
  return number(7, duration);
}
inline std::string send(std::uint64_t id, int to, int tag, std::int64_t size,
                        std::string_view rest = {}) {
  return node(id, kSend,
              int64("comm_size", size) + int32("comm_dst", to) + int32("comm_tag", tag) +
                  std::string(rest));
}
inline std::string receive(std::uint64_t id, int from, int tag, std::int64_t size,
                           std::string_view rest = {}) {
  return node(id, kReceive,
              int64("comm_size", size) + int32("comm_src", from) + int32("comm_tag", tag) +
                  std::string(rest));
}
inline std::string collective(std::uint64_t id, int type, std::int64_t size,
                              std::string_view rest = {}) {
  return node(id, kCollective,
              int64("comm_type", type) + int64("comm_size", size) + std::string(rest));
}

}  // namespace weft::test::wire
