// What the rooms' bindings share: the order in which they are declared, long calls, text, results.
#pragma once

#include <string>

#include "arrays.h"
#include <prehend/math/interrupt.h>

namespace prehend::python {

// A file's name: str or os.PathLike.
struct Path {
  std::string text;
};

}  // namespace prehend::python

namespace nanobind::detail {
template <>
struct type_caster<prehend::python::Path> {
  NB_TYPE_CASTER(prehend::python::Path, const_name("str | os.PathLike[str]"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    PyObject* bytes = nullptr;
    if (PyBytes_Check(source.ptr()) || !PyUnicode_FSConverter(source.ptr(), &bytes)) {
      PyErr_Clear();
      return false;
    }
    value.text.assign(PyBytes_AsString(bytes), static_cast<size_t>(PyBytes_Size(bytes)));
    Py_DECREF(bytes);
    return true;
  }
  static handle from_cpp(const prehend::python::Path& path, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_DecodeFSDefaultAndSize(path.text.data(), static_cast<Py_ssize_t>(path.text.size()));
  }
};
}  // namespace nanobind::detail

namespace prehend::python {

namespace nb = nanobind;
using namespace nb::literals;

void bind_math(nb::module_& m);
void bind_inertia(nb::module_& m);
void bind_solvers(nb::module_& m);
void bind_geometry(nb::module_& m);
void bind_proximity(nb::module_& m);
void bind_contact(nb::module_& m);
void bind_tetrahedra(nb::module_& m);
void bind_model(nb::module_& m);
void bind_inspection(nb::module_& m);
void bind_logs(nb::module_& m);
void bind_simulate(nb::module_& m);
void bind_identification(nb::module_& m);
void bind_discovery(nb::module_& m);
void bind_joints(nb::module_& m);
void bind_stability(nb::module_& m);
void bind_placement(nb::module_& m);
void bind_observation(nb::module_& m);
void bind_assist(nb::module_& m);
void bind_watch(nb::module_& m);
void bind_execution(nb::module_& m);
void bind_knot(nb::module_& m);
void bind_knot_moves(nb::module_& m);
void bind_topology(nb::module_& m);

// Around a call that may take longer than a tenth of a second: other Python threads run meanwhile, and Ctrl-C ends it
// with KeyboardInterrupt (module.cpp), in whichever thread it runs.
class LongCall {
 private:
  math::InterruptOnSignal on_signal_;
  nb::gil_scoped_release released_;
};
using Released = nb::call_guard<LongCall>;

// Files may hold arbitrary bytes and messages quote them: invalid UTF-8 is replaced, never thrown on.
inline nb::str text(const std::string& bytes) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}
using Texts = nb::typed<nb::list, nb::str>;
inline Texts texts(const std::vector<std::string>& lines) {
  Texts list;
  for (const std::string& line : lines) list.append(text(line));
  return list;
}

// A read-only property that is a list of sentences or names.
template <class Class, class T>
void def_texts(Class& c, const char* name, std::vector<std::string> T::* member, const char* doc) {
  c.def_prop_ro(name, [member](const T& self) { return texts(self.*member); }, doc);
}

// Results show themselves: to_dict() in plain Python values, a table in notebooks, the brief report as text.
template <class Class>
void def_result(Class& c) {
  c.def(
      "to_dict",
      [](nb::handle self) { return nb::module_::import_("prehend._notebook").attr("to_dict")(self); },
      nb::sig("def to_dict(self) -> dict[str, typing.Any]"),
      "The result in plain Python values, ready for json.dumps().");
  c.def(
      "_repr_html_",
      [](nb::handle self) { return nb::module_::import_("prehend._notebook").attr("html")(self); },
      nb::sig("def _repr_html_(self) -> str"), "A table for notebooks.");
  c.def(
      "__repr__",
      [](nb::handle self) { return nb::module_::import_("prehend._notebook").attr("short")(self); },
      nb::sig("def __repr__(self) -> str"));
}

}  // namespace prehend::python
