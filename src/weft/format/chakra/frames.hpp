// The messages of a trace's file, one after the other.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace weft::format {

/// Each message is preceded by its length, 7 bits a byte with the lowest first. What gzip packed is
/// unpacked as far as it is asked for.
class Frames {
 public:
  /// Both have to outlive it.
  Frames(std::string_view content, const std::string& file);

  /// Valid until the next call; nothing at the end. Throws InvalidInput for one that is cut off.
  std::optional<std::string_view> next();
  /// Where the last one begins, of the bytes without gzip's packing.
  std::int64_t place() const { return place_; }

 private:
  struct EndInflate {
    void operator()(z_stream* stream) const;
  };

  /// Makes `bytes` of what follows there, or as many as there are; how many.
  std::size_t have(std::size_t bytes);
  bool unpack();
  std::string_view rest() const { return (packed_ ? unpacked_ : content_).substr(at_); }

  const std::string& file_;
  std::string_view content_;
  std::unique_ptr<z_stream, EndInflate> packed_;
  std::string buffer_;
  std::string_view unpacked_;  // of the buffer
  bool open_ = true;           // gzip's end has not come
  std::size_t at_ = 0;
  std::int64_t before_ = 0, place_ = 0;  // bytes that have left the buffer
};

/// Whether the bytes are gzip's.
bool is_packed(std::string_view content);

/// Appends the message with its length.
void append_frame(std::string_view message, std::string& out);

}  // namespace weft::format
