// Prose for people, which may quote hostile files and arguments.
#pragma once

#include <ostream>
#include <streambuf>

namespace weft::cli {

/// Hands what is written on to another stream as printable(), lines and tabs kept: each text that
/// is written at once is one piece, so that no character may be parted between two. The other
/// stream must outlive it.
class PrintableStream : public std::ostream {
 public:
  explicit PrintableStream(std::ostream& target) : std::ostream(nullptr), buffer_(target) {
    rdbuf(&buffer_);
  }

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::ostream& target) : out_(target) {}

   protected:
    std::streamsize xsputn(const char* text, std::streamsize length) override;
    int_type overflow(int_type character) override;
    int sync() override;

   private:
    std::ostream& out_;
  };

  Buffer buffer_;
};

}  // namespace weft::cli
