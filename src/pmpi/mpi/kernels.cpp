// Reductions of built-in types, which the compiler turns into vector instructions: one version for
// every processor and one for those with AVX2, chosen when the library is loaded.
#include <type_traits>

#include "pmpi/mpi/types.hpp"

namespace weft::pmpi {

namespace {

struct Sum {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Product {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return a > b ? a : b;
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct ExclusiveOr {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <class T, class Operation>
[[gnu::always_inline]] inline void loop(const void* left, const void* right, void* out,
                                        std::size_t count) {
  const T* a = static_cast<const T*>(left);
  const T* b = static_cast<const T*>(right);
  T* c = static_cast<T*>(out);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) c[i] = Operation::of(a[i], b[i]);
}

template <class T, class Operation>
void plain(const void* left, const void* right, void* out, std::size_t count) {
  loop<T, Operation>(left, right, out, count);
}

#if defined(__x86_64__)
template <class T, class Operation>
[[gnu::target("avx2")]] void wide(const void* left, const void* right, void* out,
                                  std::size_t count) {
  loop<T, Operation>(left, right, out, count);
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#endif

template <class T, class Operation>
Kernel best() {
#if defined(__x86_64__)
  if (has_avx2()) return wide<T, Operation>;
#endif
  return plain<T, Operation>;
}

// Sums and products of signed integers wrap around, as other MPIs' do.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

template <class T>
Kernel of_type(MPI_Op op) {
  const MpiTable& m = mpi();
  if (op == m.sum) return best<Wrapping<T>, Sum>();
  // Short unsigned factors would be promoted to int, which overflows.
  if (op == m.prod) {
    if constexpr (std::is_integral_v<T> && sizeof(T) < 4)
      return nullptr;
    else
      return best<Wrapping<T>, Product>();
  }
  if (op == m.max) return best<T, Maximum>();
  if (op == m.min) return best<T, Minimum>();
  if constexpr (std::is_integral_v<T>) {
    if (op == m.band) return best<T, And>();
    if (op == m.bor) return best<T, Or>();
    if (op == m.bxor) return best<T, ExclusiveOr>();
  }
  return nullptr;
}

template <class One, class Two, class Four, class Eight>
Kernel of_size(MPI_Op op, std::int64_t size) {
  switch (size) {
    case 1:
      return of_type<One>(op);
    case 2:
      return of_type<Two>(op);
    case 4:
      return of_type<Four>(op);
    case 8:
      return of_type<Eight>(op);
    default:
      return nullptr;
  }
}

}  // namespace

Kernel kernel_of(MPI_Op op, const TypeInfo& type) {
  if (!type.is_plain) return nullptr;
  switch (type.type_class) {
    case TypeClass::signed_integer:
      return of_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(op, type.size);
    case TypeClass::unsigned_integer:
    case TypeClass::byte:
      return of_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(op, type.size);
    case TypeClass::floating:
      if (type.size == sizeof(float)) return of_type<float>(op);
      if (type.size == sizeof(double)) return of_type<double>(op);
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace weft::pmpi
