// Weft's own binary files: a header that says what it is, then a body under a checksum.
//
// Layout (all integers little-endian; "varint" is LEB128, "zigzag" a signed number as varint):
//
//   8 bytes  magic, such as 89 'W' 'E' 'F' 'T' 0d 0a 1a (a transfer that mangles line ends breaks
//   it) u32      version u32      CRC-32C of the body u64      length of the body body
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/error.hpp"

namespace weft {

/// Appends numbers and texts to the bytes of a file.
class BinaryWriter {
 public:
  /// The lowest `bytes` bytes, least significant first.
  void fixed(std::uint64_t value, int bytes) {
    WEFT_ASSERT(bytes >= 1 && bytes <= 8);
    for (int i = 0; i < bytes; ++i) out_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  /// Seven bits a byte, least significant first; the top bit says that more follow (LEB128).
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  /// A number that is not negative, as varint.
  void number(std::int64_t value) { varint(static_cast<std::uint64_t>(value)); }
  /// Any number: 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
  void zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  /// Its length as varint, then its bytes.
  void text(std::string_view value) {
    varint(value.size());
    out_ += value;
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

/// Reads what a BinaryWriter wrote. Throws InvalidInput, naming the file and the byte, where a
/// value is missing or out of range, and for counts that what is left of the file cannot hold.
class BinaryReader {
 public:
  /// `name` is the file's, for errors; both must outlive the reader.
  BinaryReader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  /// What BinaryWriter::fixed() wrote; `what` names the value in errors, here and below.
  std::uint64_t fixed(int bytes, std::string_view what) {
    WEFT_ASSERT(bytes >= 1 && bytes <= 8);
    need(static_cast<std::size_t>(bytes), what);
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << (8 * i);
    return value;
  }
  /// What BinaryWriter::varint() wrote.
  std::uint64_t varint(std::string_view what) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      need(1, what);
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      if (shift == 63 && byte > 1) fail("{} does not fit in 64 bits", what);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  /// A number in [low, high].
  std::int64_t number(std::string_view what, std::int64_t low, std::int64_t high) {
    const std::uint64_t value = varint(what);
    if (value > static_cast<std::uint64_t>(high) || static_cast<std::int64_t>(value) < low)
      fail("{} is {} (expected {} to {})", what, value, low, high);
    return static_cast<std::int64_t>(value);
  }
  /// A count of things of at least one byte each, so no more than the bytes that are left.
  std::int64_t count(std::string_view what) {
    const std::uint64_t value = varint(what);
    if (value > bytes_.size() - at_)
      fail("{} {} do not fit in the remaining {} bytes", value, what, bytes_.size() - at_);
    return static_cast<std::int64_t>(value);
  }
  std::int64_t zigzag(std::string_view what) {
    const std::uint64_t value = varint(what);
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  /// previous + a difference, in [low, high].
  std::int64_t near(std::int64_t previous, std::string_view what, std::int64_t low,
                    std::int64_t high) {
    const std::int64_t difference = zigzag(what);
    std::int64_t value = 0;
    if (__builtin_add_overflow(previous, difference, &value) || value < low || value > high)
      fail("{} is out of range ({} to {})", what, low, high);
    return value;
  }
  /// Text for one line: what it holds goes to terminals and into messages.
  std::string text(std::string_view what) {
    const auto length = static_cast<std::size_t>(count(what));
    std::string value(bytes_.substr(at_, length));
    for (const char c : value)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        fail("the {} has a control character", what);
    at_ += length;
    return value;
  }
  std::string_view rest() const { return bytes_.substr(at_); }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    reject("'{}' is damaged at byte {}: {}", name_, at_,
           fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void need(std::size_t bytes, std::string_view what) const {
    if (bytes > bytes_.size() - at_) fail("the file ends before the {}", what);
  }

  std::string_view bytes_;
  std::string_view name_;
  std::size_t at_ = 0;
};

/// One kind of file.
struct BinaryKind {
  std::string_view magic;                             // 8 bytes
  std::uint64_t first_version = 1, last_version = 1;  // that are read
  std::string_view what;                              // for messages: "schedule file"
  std::string_view written_by;                        // "`weft schedule ... -o FILE` writes one"
};

/// The whole file.
std::string frame(const BinaryKind& kind, std::uint64_t version, std::string_view body);

/// A body whose checksum is right.
struct Framed {
  std::uint64_t version;
  std::string_view body;  // part of the bytes
};
/// Throws InvalidInput for bytes of another kind, an unknown version, and bytes that were cut or
/// changed; `name` is the file's.
Framed unframe(const BinaryKind& kind, std::string_view bytes, std::string_view name);

}  // namespace weft
