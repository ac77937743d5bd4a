#include "pmpi/mpi/types.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

namespace weft::pmpi {

namespace {

struct Known {
  MPI_Datatype type;
  TypeClass type_class;
};

TypeInfo asked_of_mpi(MPI_Datatype type) {
  TypeInfo info{.type = type};
  MPI_Count size = 0;
  MPI_Aint lb = 0, extent = 0, true_lb = 0, true_extent = 0;
  mpi().Type_size_x(type, &size);
  mpi().Type_get_extent(type, &lb, &extent);
  mpi().Type_get_true_extent(type, &true_lb, &true_extent);
  info.size = size;
  info.extent = extent;
  info.true_lb = true_lb;
  info.true_extent = true_extent;
  info.is_plain = lb == 0 && size == extent && true_lb == 0 && true_extent == size;
  return info;
}

// In the order of how often programs reduce them. They stay as they are, so that MPI is asked once.
const auto& known_types() {
  using enum TypeClass;
  constexpr auto described = [](const auto& known) {
    std::array<TypeInfo, std::tuple_size_v<std::remove_cvref_t<decltype(known)>>> infos;
    std::ranges::transform(known, infos.begin(), [](const Known& each) {
      if (each.type == mpi().type_null) return TypeInfo{.type = each.type};
      TypeInfo info = asked_of_mpi(each.type);
      info.type_class = each.type_class;
      return info;
    });
    return infos;
  };
  static const auto known = described(std::to_array<Known>({
      {mpi().double_, floating},
      {mpi().float_, floating},
      {mpi().int_, signed_integer},
      {mpi().byte, byte},
      {mpi().long_, signed_integer},
      {mpi().long_long, signed_integer},
      {mpi().int64, signed_integer},
      {mpi().int32, signed_integer},
      {mpi().uint64, unsigned_integer},
      {mpi().uint32, unsigned_integer},
      {mpi().f_double, floating},
      {mpi().f_real, floating},
      {mpi().f_integer, signed_integer},
      {mpi().f_real4, floating},
      {mpi().f_real8, floating},
      {mpi().f_integer4, signed_integer},
      {mpi().f_integer8, signed_integer},
      {mpi().unsigned_, unsigned_integer},
      {mpi().unsigned_long, unsigned_integer},
      {mpi().unsigned_long_long, unsigned_integer},
      {mpi().short_, signed_integer},
      {mpi().unsigned_short, unsigned_integer},
      {mpi().signed_char, signed_integer},
      {mpi().unsigned_char, unsigned_integer},
      {mpi().int8, signed_integer},
      {mpi().uint8, unsigned_integer},
      {mpi().int16, signed_integer},
      {mpi().uint16, unsigned_integer},
      {mpi().aint, signed_integer},
      {mpi().offset, signed_integer},
      {mpi().count, signed_integer},
      {mpi().long_double, floating},
      {mpi().c_bool, logical},
      {mpi().f_logical, logical},
      {mpi().c_float_complex, complex},
      {mpi().c_double_complex, complex},
      {mpi().f_complex, complex},
      {mpi().f_double_complex, complex},
      {mpi().float_int, pair},
      {mpi().double_int, pair},
      {mpi().long_int, pair},
      {mpi().short_int, pair},
      {mpi().two_int, pair},
      {mpi().char_, other},
      {mpi().f_character, other},
      {mpi().wide_char, other},
  }));
  return known;
}

bool is_one_of(MPI_Op op, std::initializer_list<MPI_Op> ops) {
  for (const MPI_Op each : ops)
    if (op == each) return true;
  return false;
}

bool is_built_in(MPI_Op op) {
  const MpiTable& m = mpi();
  return is_one_of(op, {m.sum, m.prod, m.max, m.min, m.land, m.lor, m.lxor, m.band, m.bor, m.bxor,
                        m.maxloc, m.minloc, m.replace, m.no_op});
}

// The standard's table of operations and the types that they take, less what is rare.
bool takes(MPI_Op op, TypeClass type) {
  const MpiTable& m = mpi();
  using enum TypeClass;
  const bool integer = type == signed_integer || type == unsigned_integer;
  if (is_one_of(op, {m.max, m.min})) return integer || type == floating;
  if (is_one_of(op, {m.sum, m.prod})) return integer || type == floating || type == complex;
  if (is_one_of(op, {m.land, m.lor, m.lxor})) return integer || type == logical;
  if (is_one_of(op, {m.band, m.bor, m.bxor})) return integer || type == byte;
  if (is_one_of(op, {m.maxloc, m.minloc})) return type == pair;
  return false;
}

}  // namespace

TypeInfo type_info(MPI_Datatype type) {
  for (const TypeInfo& known : known_types())
    if (known.type == type) return known;
  TypeInfo info = asked_of_mpi(type);
  info.is_plain = false;
  return info;
}

OpInfo op_info(MPI_Op op, const TypeInfo& type) {
  if (is_built_in(op)) {
    using enum TypeClass;
    const bool is_float = type.type_class == floating || type.type_class == complex;
    return {takes(op, type.type_class), true, !is_float && type.type_class != pair,
            kernel_of(op, type), true};
  }
  int commutes = 0;
  return {mpi().Op_commutative(op, &commutes) == MPI_SUCCESS, commutes != 0, false, nullptr};
}

}  // namespace weft::pmpi
