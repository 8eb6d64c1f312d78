// Eigen and std::vector types as NumPy arrays, in one place for all rooms.
//
// Into C++: any array of numbers, or nested lists. Out of C++: small fixed-size types are copied; vectors of
// points, triangles and numbers become read-only views that keep their owner alive (members of an object), or
// arrays that own the moved vector (returned values): no copy in either case. Quaternions are (w, x, y, z).
#pragma once

#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <prehend/math/index.h>
#include <prehend/math/se3.h>

namespace prehend::python {

// Points as an argument whose mistakes are named: the caster takes everything, of() refuses what are no rows of three numbers.
struct PointRows {
  std::vector<Eigen::Vector3d> rows;
  std::string given;  // what was handed over instead: "an array of shape (10, 2)"

  const std::vector<Eigen::Vector3d>& of(const char* name) const {
    if (given.empty()) return rows;
    throw nanobind::type_error(
        (std::string(name) + " must be rows of three numbers, an array of shape (n, 3); it is " + given)
            .c_str());
  }
};

}  // namespace prehend::python

namespace nanobind::detail {

// numpy.asarray(list, dtype), or empty with the Python error cleared.
inline object array_from_list(handle source, const char* dtype) noexcept {
  try {
    return module_::import_("numpy").attr("asarray")(source, dtype);
  } catch (python_error& error) {
    error.restore();
    PyErr_Clear();
  } catch (...) {
  }
  return {};
}

// Whole numbers of any width as int32; empty when they are none or do not fit: NumPy itself would cut them
// off silently.
inline object narrow_integers(handle source) noexcept {
  try {
    const module_ numpy = module_::import_("numpy");
    const object array = numpy.attr("asarray")(source);
    const auto kind = cast<std::string>(array.attr("dtype").attr("kind"));
    if (cast<size_t>(array.attr("size")) > 0) {
      if (kind != "i" && kind != "u") return {};
      if (int_(array.attr("min")()) < int_(std::numeric_limits<int>::min())) return {};
      if (int_(array.attr("max")()) > int_(std::numeric_limits<int>::max())) return {};
    }
    return numpy.attr("ascontiguousarray")(array, "int32");
  } catch (python_error& error) {
    error.restore();
    PyErr_Clear();
  } catch (...) {
  }
  return {};
}

inline bool is_list(handle source) { return PyList_Check(source.ptr()) || PyTuple_Check(source.ptr()); }

template <int N>
bool numbers_from_list(handle source, double* out) noexcept {
  if (PySequence_Fast_GET_SIZE(source.ptr()) != N) return false;
  for (int i = 0; i < N; ++i) {
    out[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(source.ptr(), i));
    if (out[i] == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
  }
  return true;
}

template <class T>
struct eigen_array_caster {
  static constexpr int kRows = T::RowsAtCompileTime, kColumns = T::ColsAtCompileTime;
  static constexpr bool kIsVector = kColumns == 1;
  using Shape = std::conditional_t<kIsVector, shape<kRows>, shape<kRows, kColumns>>;
  using Source = ndarray<const double, Shape, std::conditional_t<kIsVector, c_contig, f_contig>, device::cpu>;
  using Target = ndarray<double, numpy, Shape>;

  NB_TYPE_CASTER(T, io_name("numpy.typing.ArrayLike", "numpy.typing.NDArray[numpy.float64]"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    object held;
    if (is_list(source)) {
      if constexpr (kIsVector && kRows != Eigen::Dynamic)
        return numbers_from_list<kRows>(source, value.data());
      held = array_from_list(source, "float64");
      if (!held.is_valid()) return false;
      source = held;
    }
    make_caster<Source> caster;
    if (!caster.from_python(source, flags & ~cast_flags::accepts_none, cleanup)) return false;
    const Source& array = caster.value;
    if constexpr (kRows == Eigen::Dynamic || kColumns == Eigen::Dynamic) {
      if constexpr (kIsVector) {
        value.resize(static_cast<Eigen::Index>(array.shape(0)));
      } else {
        value.resize(static_cast<Eigen::Index>(array.shape(0)), static_cast<Eigen::Index>(array.shape(1)));
      }
    }
    if (array.size() > 0) std::memcpy(value.data(), array.data(), array.size() * sizeof(double));
    return true;
  }

  template <class T2>
  static handle from_cpp(T2&& v, rv_policy, cleanup_list* cleanup) noexcept {
    const T& matrix = v;
    const size_t sizes[2] = {static_cast<size_t>(matrix.rows()), static_cast<size_t>(matrix.cols())};
    const int64_t strides[2] = {1, static_cast<int64_t>(matrix.rows())};
    Target array(const_cast<double*>(matrix.data()), kIsVector ? 1 : 2, sizes, {}, strides);
    return make_caster<Target>::from_cpp(array, rv_policy::copy, cleanup);
  }
};

template <>
struct type_caster<Eigen::Vector2d> : eigen_array_caster<Eigen::Vector2d> {};
template <>
struct type_caster<Eigen::Vector3d> : eigen_array_caster<Eigen::Vector3d> {};
template <>
struct type_caster<Eigen::Vector4d> : eigen_array_caster<Eigen::Vector4d> {};
template <>
struct type_caster<Eigen::Matrix<double, 6, 1>> : eigen_array_caster<Eigen::Matrix<double, 6, 1>> {};
template <>
struct type_caster<Eigen::Matrix<double, 10, 1>> : eigen_array_caster<Eigen::Matrix<double, 10, 1>> {};
template <>
struct type_caster<Eigen::VectorXd> : eigen_array_caster<Eigen::VectorXd> {};
template <>
struct type_caster<Eigen::Matrix3d> : eigen_array_caster<Eigen::Matrix3d> {};
template <>
struct type_caster<Eigen::Matrix4d> : eigen_array_caster<Eigen::Matrix4d> {};
template <>
struct type_caster<Eigen::Matrix<double, 6, 6>> : eigen_array_caster<Eigen::Matrix<double, 6, 6>> {};
template <>
struct type_caster<Eigen::MatrixXd> : eigen_array_caster<Eigen::MatrixXd> {};

template <>
struct type_caster<Eigen::Quaterniond> {
  NB_TYPE_CASTER(Eigen::Quaterniond, io_name("numpy.typing.ArrayLike", "numpy.typing.NDArray[numpy.float64]"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Eigen::Vector4d> caster;
    if (!caster.from_python(source, flags, cleanup)) return false;
    value = Eigen::Quaterniond(caster.value[0], caster.value[1], caster.value[2], caster.value[3]);
    return true;
  }
  template <class T2>
  static handle from_cpp(T2&& v, rv_policy policy, cleanup_list* cleanup) noexcept {
    const Eigen::Quaterniond& q = v;
    return make_caster<Eigen::Vector4d>::from_cpp(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()), policy,
                                                  cleanup);
  }
};

// std::vector of `Columns` numbers each, as an (n, Columns) array; Columns = 0: a plain array of n numbers.
template <class Vector, class Scalar, int Columns>
struct vector_array_caster {
  using Shape = std::conditional_t<Columns == 0, shape<-1>, shape<-1, Columns == 0 ? 1 : Columns>>;
  using Source = ndarray<const Scalar, Shape, c_contig, device::cpu>;
  using Target = ndarray<const Scalar, numpy, Shape, c_contig>;
  static constexpr bool kIsInt = std::is_same_v<Scalar, int>;

  NB_TYPE_CASTER(Vector,
                 const_name<kIsInt>(io_name("numpy.typing.ArrayLike", "numpy.typing.NDArray[numpy.int32]"),
                                    io_name("numpy.typing.ArrayLike", "numpy.typing.NDArray[numpy.float64]")))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    const bool from_list = is_list(source);
    if (from_list && PySequence_Fast_GET_SIZE(source.ptr()) == 0) {
      value.clear();
      return true;
    }
    flags &= ~cast_flags::accepts_none;
    make_caster<Source> caster;
    object held;
    if constexpr (kIsInt) {
      if (from_list || !caster.from_python(source, flags & ~cast_flags::convert, cleanup)) {
        if (!from_list && !(flags & cast_flags::convert)) return false;
        held = narrow_integers(source);
        if (!held.is_valid() || !caster.from_python(held, flags & ~cast_flags::convert, cleanup))
          return false;
      }
    } else {
      if (from_list) {
        held = array_from_list(source, "float64");
        if (!held.is_valid()) return false;
        source = held;
      }
      if (!caster.from_python(source, flags, cleanup)) return false;
    }
    const Source& array = caster.value;
    value.resize(array.shape(0));
    if (array.size() > 0)
      std::memcpy(static_cast<void*>(value.data()), array.data(), array.size() * sizeof(Scalar));
    return true;
  }

  template <class T2>
  static handle from_cpp(T2&& v, rv_policy policy, cleanup_list* cleanup) noexcept {
    const size_t sizes[2] = {v.size(), static_cast<size_t>(Columns)};
    object owner;
    const void* data = v.data();
    if constexpr (!std::is_lvalue_reference_v<T2> && !std::is_const_v<T2>) {
      auto* moved = new Vector(std::move(v));
      owner = capsule(moved, [](void* p) noexcept { delete static_cast<Vector*>(p); });
      data = moved->data();
      policy = rv_policy::reference;
    } else if (policy == rv_policy::reference_internal && cleanup && cleanup->self()) {
      owner = borrow(cleanup->self());
      policy = rv_policy::reference;
    } else {
      policy = rv_policy::copy;
    }
    Target array(static_cast<const Scalar*>(data), Columns == 0 ? 1 : 2, sizes, owner);
    return make_caster<Target>::from_cpp(array, policy, cleanup);
  }
};

template <>
struct type_caster<std::vector<Eigen::Vector3d>>
    : vector_array_caster<std::vector<Eigen::Vector3d>, double, 3> {};
template <>
struct type_caster<std::vector<Eigen::Vector3i>> : vector_array_caster<std::vector<Eigen::Vector3i>, int, 3> {
};
template <>
struct type_caster<std::vector<std::array<int, 2>>>
    : vector_array_caster<std::vector<std::array<int, 2>>, int, 2> {};
template <>
struct type_caster<std::vector<double>> : vector_array_caster<std::vector<double>, double, 0> {};
template <>
struct type_caster<std::vector<int>> : vector_array_caster<std::vector<int>, int, 0> {};

// "an array of shape (10, 2)", "text", "a PData".
inline std::string description_of(handle source) noexcept {
  try {
    if (PyUnicode_Check(source.ptr())) return "text; read files with prehend.model";
    object array = borrow(source);
    if (is_list(source)) array = module_::import_("numpy").attr("asarray")(source);
    const auto said = [](const object& value) {
      return cast<std::string>(steal<object>(PyObject_Str(value.ptr())));
    };
    if (hasattr(array, "shape") && hasattr(array, "dtype"))
      return "an array of shape " + said(array.attr("shape")) + " of " + said(array.attr("dtype"));
    return "a " + cast<std::string>(nanobind::str(source.type().attr("__name__")));
  } catch (python_error& error) {
    error.restore();
    PyErr_Clear();
  } catch (...) {
  }
  return "a list of rows that are not all alike";
}

template <>
struct type_caster<prehend::python::PointRows> {
  using Points = std::vector<Eigen::Vector3d>;
  NB_TYPE_CASTER(prehend::python::PointRows, make_caster<Points>::Name)

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Points> caster;
    if (caster.from_python(source, flags, cleanup)) {
      value.rows = std::move(caster.value);
    } else {
      value.given = description_of(source);
    }
    return true;
  }
  static handle from_cpp(const prehend::python::PointRows& points, rv_policy,
                         cleanup_list* cleanup) noexcept {
    return make_caster<Points>::from_cpp(points.rows, rv_policy::copy, cleanup);
  }
};

// Strong indices are plain integers in Python.
template <class Tag>
struct type_caster<prehend::math::Index<Tag>> {
  using Index = prehend::math::Index<Tag>;
  NB_TYPE_CASTER(Index, const_name("int"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<int> caster;
    if (!caster.from_python(source, flags, cleanup) || caster.value < 0) return false;
    value = Index(caster.value);
    return true;
  }
  static handle from_cpp(Index index, rv_policy, cleanup_list*) noexcept {
    return PyLong_FromLong(index.value());
  }
};

}  // namespace nanobind::detail
