// In a source of its own: what runs in a user's process links it, and nothing else of this room.
#include <boost/crc.hpp>

#include "weft/base/file.hpp"

namespace weft {

std::uint32_t checksum(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

}  // namespace weft
