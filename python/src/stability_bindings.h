// What the bindings of stability share: options, choices, and answers with the names of what moves.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.h"
#include <prehend/math/enum_text.h>
#include <prehend/model/body_names.h>
#include <prehend/stability/push.h>

namespace prehend::python {

using Eigen::Vector3d;
using model::BodyIndex;
using model::Scene;

inline stability::ContactSystemOptions system_options(std::optional<double> contact_tolerance,
                                                      double fixed_above, std::uint64_t seed, int threads,
                                                      const Vector3d& acceleration_W = Vector3d::Zero()) {
  stability::ContactSystemOptions options;
  options.acceleration_W = acceleration_W;
  options.contact.set_tolerance(contact_tolerance);
  options.contact.threads = threads;
  options.fixed_above = fixed_above;
  options.seed = seed;
  return options;
}

// The enumerator of that name; ValueError names the choices.
template <class Enum>
Enum choice(const char* argument, const std::string& name) {
  const auto found = from_string<Enum>(name);
  if (!found) {
    throw std::invalid_argument(std::string(argument) + " is '" + name + "'; it must be " +
                                enum_choices<Enum>());
  }
  return *found;
}

// to_json(), brief_report(), body_names and what every result has.
template <class Result, class Class>
void def_answer(Class& c) {
  def_texts(c, "body_names", &Result::body_names, "of the scene, by body index");
  c.def(
       "to_json", [](const Result& r) { return text(r.to_json()); },
       "As the command line prints it with --json.")
      .def("brief_report", [](const Result& r) { return text(r.brief_report()); }, "A readable table.");
  def_result(c);
}

// One answer, with the names of what moves: it outlives its result.
struct PushAnswer : stability::PushAnswer {
  PushAnswer(const stability::PushAnswer& answer, const std::vector<std::string>& body_names)
      : stability::PushAnswer(answer), moving_names(model::names_of(body_names, answer.moving)) {}
  std::vector<std::string> moving_names;
};

void bind_questions(nb::module_& m);  // forces, transport, disassembly

}  // namespace prehend::python
