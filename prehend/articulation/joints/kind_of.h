// A JointKind from a type's compile-time description: what each type's file derives its interface from.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/articulation/fit/frame_pass.h>
#include <prehend/articulation/joints/joint_kind.h>

namespace prehend::articulation {

// What a type describes: kType, kFreedoms, kParameters, kZeros (states whose zero is a convention), kDirections, kTurns and kShifts (freedoms that
//   turn, shift), kHasRadius, kStartsAtFirst (E(q) form a group of one axis: the zero may be moved), kWinds where a state counts
//   turns; motion, state, jacobian, settle (gauge), closed_form.
template <class Type>
class KindOf : public JointKind {
 public:
  using VectorQ = Eigen::Matrix<double, Type::kFreedoms, 1>;
  model::JointType type() const override { return Type::kType; }
  int freedoms() const override { return Type::kFreedoms; }
  int parameters() const override { return Type::kParameters; }
  int parameters_with_zero() const override { return Type::kParameters + Type::kZeros; }
  Motion motion(const State& q, double pitch) const override {
    Motion E;
    Type::motion(VectorQ(q), pitch, E);
    return E;
  }
  State state(const Motion& E, double pitch) const override { return Type::state(E, pitch); }
  StateJacobian jacobian(const State& q, double pitch) const override {
    Eigen::Matrix<double, 6, Type::kFreedoms> S;
    if constexpr (Type::kFreedoms > 0) Type::jacobian(VectorQ(q), pitch, S);
    return S;
  }
  std::vector<Joint> closed_form(const Frames& frames) const override { return Type::closed_form(frames); }
  void pass(engine::PassState& state) const override { engine::FramePass<Type>(state).run(); }
  void settle(Joint& joint) const override { Type::settle(joint); }
  int turns() const override { return Type::kTurns; }
  int shifts() const override { return Type::kShifts; }
  bool winds() const override {
    return requires { Type::kWinds; };
  }
  bool starts_at_first() const override { return Type::kStartsAtFirst; }
  int radius_directions() const override { return !Type::kHasRadius ? 0 : Type::kTurns > 1 ? 3 : 2; }
  std::span<const int> directions() const override { return Type::kDirections; }
  int parameter_of(int direction) const override {
    for (int k = 0; k < Type::kParameters; ++k)
      if (Type::kDirections[k] == direction) return k;
    return -1;
  }
};

}  // namespace prehend::articulation
