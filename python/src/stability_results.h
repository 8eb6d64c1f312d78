// What the bindings of stability share: results with names, options, answers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include <prehend/stability/push.h>

namespace prehend::python {

using Eigen::Vector3d;
using model::BodyIndex;
using model::Scene;

// A result with its readable forms and the bodies' names, made while the scene is at hand.
template <class Result>
struct Named : Result {
  Named(Result result, const Scene& scene)
      : Result(std::move(result)), json(this->to_json(scene)), report(this->brief_report(scene)) {
    for (const model::Body& body : scene.bodies) body_names.push_back(body.name);
  }
  std::string json, report;
  std::vector<std::string> body_names;

  Texts names_of(const std::vector<BodyIndex>& bodies) const {
    Texts list;
    for (const BodyIndex body : bodies) list.append(text(body_names[body]));
    return list;
  }
};

template <class Class, class Result>
void def_named(Class& c) {
  c.def(
       "to_json", [](const Result& r) { return text(r.json); }, "As the command line prints it with --json.")
      .def("brief_report", [](const Result& r) { return text(r.report); }, "A readable table.");
  def_result(c);
}

inline stability::ContactSystemOptions system_options(double contact_tolerance, double fixed_above,
                                                      std::uint64_t seed, int threads) {
  stability::ContactSystemOptions options;
  options.contact.gap_tolerance = contact_tolerance;
  options.contact.threads = threads;
  options.fixed_above = fixed_above;
  options.seed = seed;
  return options;
}

// One answer, and the names of what moves.
struct NamedAnswer : stability::PushAnswer {
  std::vector<std::string> names;
};

inline NamedAnswer named(const stability::PushAnswer& answer, const std::vector<std::string>& body_names) {
  NamedAnswer result{answer, {}};
  for (const BodyIndex body : answer.moving) result.names.push_back(body_names[body]);
  return result;
}

void bind_questions(nb::module_& m);  // forces, transport, disassembly

}  // namespace prehend::python
