// SPDX-License-Identifier: MIT
// The heat equation's 5- and 7-point steps for YASK, as hetgrid-heat computes them: constant coefficients, one grid.
// bench/yask copies it to YASK's own stencils, since YASK's compiler knows only those.
#include "yask_compiler_api.hpp"
using namespace yask;

namespace {

class Heat2d : public yc_solution_base {
  MAKE_STEP_INDEX(t);
  MAKE_DOMAIN_INDEX(x);
  MAKE_DOMAIN_INDEX(y);
  MAKE_VAR(u, t, x, y);

public:
  Heat2d() : yc_solution_base("heat2d") {}
  virtual void define()
  {
    const double ax = .1, ay = .12, c0 = 1 - 2 * ax - 2 * ay;
    u(t + 1, x, y) EQUALS c0 * u(t, x, y) + ax * (u(t, x - 1, y) + u(t, x + 1, y)) +
        ay * (u(t, x, y - 1) + u(t, x, y + 1));
  }
};
REGISTER_SOLUTION(Heat2d);

class Heat3d : public yc_solution_base {
  MAKE_STEP_INDEX(t);
  MAKE_DOMAIN_INDEX(x);
  MAKE_DOMAIN_INDEX(y);
  MAKE_DOMAIN_INDEX(z);
  MAKE_VAR(u, t, x, y, z);

public:
  Heat3d() : yc_solution_base("heat3d") {}
  virtual void define()
  {
    const double ax = .1, ay = .12, az = .09, c0 = 1 - 2 * ax - 2 * ay - 2 * az;
    u(t + 1, x, y, z) EQUALS c0 * u(t, x, y, z) + ax * (u(t, x - 1, y, z) + u(t, x + 1, y, z)) +
        ay * (u(t, x, y - 1, z) + u(t, x, y + 1, z)) + az * (u(t, x, y, z - 1) + u(t, x, y, z + 1));
  }
};
REGISTER_SOLUTION(Heat3d);

} // namespace
