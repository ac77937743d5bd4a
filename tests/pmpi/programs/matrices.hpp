// What the random cases draw from, and operations of a user's own.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <random>

struct Random {
  std::mt19937_64 engine;
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(bound));
  }
  bool coin() { return below(2) == 0; }
};

// Two by two matrices modulo a prime: associative, and in no way commutative.
struct Matrix {
  std::int64_t a, b, c, d;

  friend bool operator==(const Matrix&, const Matrix&) = default;
};
inline constexpr std::int64_t kPrime = 1000003;

inline void multiply(void* in, void* inout, int* count, MPI_Datatype*) {
  const Matrix* left = static_cast<Matrix*>(in);
  Matrix* right = static_cast<Matrix*>(inout);
  for (int i = 0; i < *count; ++i) {
    const Matrix x = left[i], y = right[i];
    right[i] = {(x.a * y.a + x.b * y.c) % kPrime, (x.a * y.b + x.b * y.d) % kPrime,
                (x.c * y.a + x.d * y.c) % kPrime, (x.c * y.b + x.d * y.d) % kPrime};
  }
}

inline void add_matrices(void* in, void* inout, int* count, MPI_Datatype*) {
  const Matrix* left = static_cast<Matrix*>(in);
  Matrix* right = static_cast<Matrix*>(inout);
  for (int i = 0; i < *count; ++i) {
    right[i].a += left[i].a;
    right[i].b += left[i].b;
    right[i].c += left[i].c;
    right[i].d += left[i].d;
  }
}
