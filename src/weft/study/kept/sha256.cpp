#include "weft/study/kept/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

namespace weft::study {

namespace {

constexpr std::size_t kBlock = 64;  // bytes

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

// The same of the square roots of the first 8.
constexpr State kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::array<std::uint32_t, 64> schedule_of(std::string_view block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < kBlock; ++i)
    w[i / 4] = w[i / 4] << 8U | static_cast<unsigned char>(block[i]);
  for (std::size_t t = 16; t < w.size(); ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  return w;
}

void take(State& hash, std::string_view block) {
  const auto w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + s1 + ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const State added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += added[i];
}

// What is left of the bytes, a one, zeros, and the length in bits.
std::string ending(std::string_view left, std::uint64_t bytes) {
  std::string end(left);
  end += '\x80';
  while (end.size() % kBlock != kBlock - 8) end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    end += static_cast<char>(static_cast<unsigned char>(8 * bytes >> static_cast<unsigned>(shift)));
  return end;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  State hash = kStart;
  std::size_t done = 0;
  for (; bytes.size() - done >= kBlock; done += kBlock) take(hash, bytes.substr(done, kBlock));
  const std::string end = ending(bytes.substr(done), bytes.size());
  for (std::size_t at = 0; at < end.size(); at += kBlock)
    take(hash, std::string_view(end).substr(at, kBlock));
  std::string text = "sha256:";
  for (const std::uint32_t word : hash) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace weft::study
