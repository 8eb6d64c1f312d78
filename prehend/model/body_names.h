// Names of a scene's bodies, as results carry them: an answer is printed without the scene at hand.
//
// A result has `std::vector<std::string> body_names`, by BodyIndex, of the scene it was asked about.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include <prehend/model/scene.h>

namespace prehend::model {

std::vector<std::string> body_names(const Scene& scene);

// "body 7" where there is no such name.
std::string name_of(const std::vector<std::string>& body_names, BodyIndex body);
std::vector<std::string> names_of(const std::vector<std::string>& body_names,
                                  std::span<const BodyIndex> bodies);

// "the scene has no body 'cratee'; it has: 'world', 'crate'", with a dozen names at most.
std::string no_such_body(const Scene& scene, const std::string& name);

// "'a', 'b' and 3 more": at most `most` names, all by default.
std::string quoted_names(const std::vector<std::string>& body_names, std::span<const BodyIndex> bodies,
                         std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace prehend::model
