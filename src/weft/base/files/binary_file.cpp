#include "weft/base/files/binary_file.hpp"

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft {

namespace {

constexpr std::size_t kHeaderSize = 8 + 4 + 4 + 8;

}  // namespace

std::string frame(const BinaryKind& kind, std::uint64_t version, std::string_view body) {
  WEFT_ASSERT(kind.magic.size() == 8);
  BinaryWriter out;
  for (const char c : kind.magic) out.fixed(static_cast<unsigned char>(c), 1);
  out.fixed(version, 4);
  out.fixed(checksum(body), 4);
  out.fixed(body.size(), 8);
  return out.bytes() + std::string(body);
}

Framed unframe(const BinaryKind& kind, std::string_view bytes, std::string_view name) {
  WEFT_ASSERT(kind.magic.size() == 8 && kind.first_version <= kind.last_version);
  const std::string_view start = bytes.substr(0, kind.magic.size());
  require(start == kind.magic ||
              (!bytes.empty() && bytes.size() < kind.magic.size() && kind.magic.starts_with(start)),
          "'{}' is not a weft {}; {}", name, kind.what, kind.written_by);
  require(bytes.size() >= kHeaderSize,
          "'{}' is truncated: it has {} bytes, less than its header of {} bytes", name,
          bytes.size(), kHeaderSize);
  BinaryReader header(bytes.substr(kind.magic.size()), name);
  const std::uint64_t version = header.fixed(4, "version");
  const bool one = kind.first_version == kind.last_version;
  require(version >= kind.first_version && version <= kind.last_version,
          "'{}' has version {} of the format, but this weft reads version{} {}", name, version,
          one ? "" : "s",
          one ? fmt::format("{}", kind.last_version)
              : fmt::format("{} to {}", kind.first_version, kind.last_version));
  const std::uint64_t sum = header.fixed(4, "checksum");
  const std::uint64_t length = header.fixed(8, "length");
  const std::string_view body = header.rest();
  require(body.size() >= length, "'{}' is truncated: it has {} of {} bytes", name, body.size(),
          length);
  require(body.size() == length, "'{}' has {} bytes more than the length in its header", name,
          body.size() - length);
  require(checksum(body) == sum,
          "'{}' is damaged: its checksum is {:08x}, but the file states {:08x}", name,
          checksum(body), sum);
  return {version, body};
}

}  // namespace weft
