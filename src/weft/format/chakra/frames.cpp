#include "frames.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format {

namespace {

constexpr std::size_t kLongest = std::size_t{1} << 28;  // of a message
constexpr std::size_t kAtOnce = std::size_t{1} << 18;   // bytes that are unpacked at once
constexpr int kBits = 7;                                // of the length, a byte
constexpr int kMostBytes = 5;                           // of a length below 2^32
constexpr std::uint8_t kGoesOn = 0x80;

}  // namespace

bool is_packed(std::string_view content) {
  return content.starts_with("\x1f\x8b");
}

void append_frame(std::string_view message, std::string& out) {
  for (std::size_t left = message.size();; left >>= kBits) {
    if (left < kGoesOn) {
      out.push_back(static_cast<char>(left));
      break;
    }
    out.push_back(static_cast<char>(left | kGoesOn));
  }
  out += message;
}

void Frames::EndInflate::operator()(z_stream* stream) const {
  inflateEnd(stream);
  delete stream;
}

Frames::Frames(std::string_view content, const std::string& file) : file_(file), content_(content) {
  if (!is_packed(content)) return;
  auto stream = std::make_unique<z_stream>();
  constexpr int kOfGzip = 16 + MAX_WBITS;
  require(inflateInit2(stream.get(), kOfGzip) == Z_OK,
          "'{}': not enough memory to decompress the file", file);
  packed_.reset(stream.release());
}

bool Frames::unpack() {
  if (content_.empty() && !open_) return false;
  buffer_.erase(0, at_);
  before_ += static_cast<std::int64_t>(at_);
  at_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kAtOnce);
  z_stream& stream = *packed_;
  const std::size_t given = std::min(content_.size(), kAtOnce);
  // zlib takes its input as no constant, and does not change it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content_.data()));
  stream.avail_in = static_cast<uInt>(given);
  stream.next_out = reinterpret_cast<Bytef*>(buffer_.data() + had);
  stream.avail_out = static_cast<uInt>(kAtOnce);
  const int state = inflate(&stream, Z_NO_FLUSH);
  const std::size_t made = kAtOnce - stream.avail_out;
  content_.remove_prefix(given - stream.avail_in);
  buffer_.resize(had + made);
  unpacked_ = buffer_;
  if (state == Z_STREAM_END) {  // another packed part may follow
    if (!content_.empty() && !is_packed(content_))
      reject("'{}': {} extra bytes follow the gzip data; check that this is one file", file_,
             content_.size());
    open_ = !content_.empty();
    inflateReset(&stream);
    return true;
  }
  if (state != Z_OK && state != Z_BUF_ERROR)
    reject("'{}': the gzip data is damaged after {} bytes", file_,
           before_ + static_cast<std::int64_t>(buffer_.size()));
  if (content_.empty() && made == 0) reject("'{}': the gzip data is truncated", file_);
  return true;
}

std::size_t Frames::have(std::size_t bytes) {
  while (packed_ && rest().size() < bytes && unpack()) {
  }
  return std::min(rest().size(), bytes);
}

std::optional<std::string_view> Frames::next() {
  const std::size_t there = have(kMostBytes);
  place_ = before_ + static_cast<std::int64_t>(at_);
  if (there == 0) return std::nullopt;
  std::size_t length = 0, used = 0;
  for (bool goes_on = true; goes_on; ++used) {
    if (used == there)
      reject("'{}': byte {}: {}", file_, place_,
             there < kMostBytes
                 ? "the file is truncated within the length of a message"
                 : "the length of a message is missing; check that this is a Chakra trace");
    const auto byte = static_cast<std::uint8_t>(rest()[used]);
    length |= std::size_t{byte & (kGoesOn - 1U)} << (kBits * used);
    goes_on = (byte & kGoesOn) != 0;
  }
  if (length > kLongest)
    reject("'{}': byte {}: a message of {} bytes is too long; check that this is a Chakra trace",
           file_, place_, length);
  if (const std::size_t all = have(used + length); all < used + length)
    reject(
        "'{}': byte {}: a message of {} bytes exceeds the {} bytes left; the file may be "
        "truncated",
        file_, place_, length, all - used);
  const std::string_view message = rest().substr(used, length);
  at_ += used + length;
  return message;
}

}  // namespace weft::format
