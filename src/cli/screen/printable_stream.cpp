#include "cli/screen/printable_stream.hpp"

#include <cstddef>

#include "weft/base/text.hpp"

namespace weft::cli {

std::streamsize PrintableStream::Buffer::xsputn(const char* text, std::streamsize length) {
  out_ << printable({text, static_cast<std::size_t>(length)}, "\n\t");
  return out_.good() ? length : 0;
}

PrintableStream::Buffer::int_type PrintableStream::Buffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof()))
    return traits_type::not_eof(character);
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

int PrintableStream::Buffer::sync() {
  out_.flush();
  return out_.good() ? 0 : -1;
}

}  // namespace weft::cli
