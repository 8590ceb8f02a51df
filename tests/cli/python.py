# SPDX-License-Identifier: MIT
"""Tests of the Python module, as TAP; run by python.sh in a folder with a trace in run/."""
import gzip
import os
import re
import warnings
import numpy
import hetgrid

count = failed = 0


def ok(good, name):
    global count, failed
    count += 1
    failed += not good
    print("ok" if good else "not ok", count, "-", name)


def refuses(part, name, function, *words, **options):
    try:
        function(*words, **options)
        ok(False, name + ": nothing was said")
    except hetgrid.Error as error:
        ok(re.search(part, str(error)) is not None, "%s (%s)" % (name, str(error).splitlines()[0][:120]))


random = numpy.random.RandomState(5)
for shape in [(37,), (20, 31), (9, 8, 11)]:
    for kind in (numpy.float32, numpy.float64):
        for boundary in ("fixed", "insulated", "periodic"):
            a = random.rand(*shape).astype(kind)
            before = a.copy()
            got = hetgrid.heat(a, 23, boundary=boundary)
            want = hetgrid.heat_reference(a, 23, boundary=boundary)
            ok(got.dtype == kind and got.shape == shape and got.tobytes() == want.tobytes(),
               "heat of %s %s, %s: the bits of the library's reference" % (shape, kind.__name__, boundary))
            ok((a == before).all(), "... and the array is what it was")
ok(hetgrid.heat(numpy.asfortranarray(random.rand(6, 9)), 0).shape == (6, 9), "an array in the order of columns")
ints = numpy.arange(12).reshape(3, 4)
ok((hetgrid.heat(ints, 0) == ints).all(), "an array of whole numbers")
ok(hetgrid.heat(a, 4, ranks=2).tobytes() == hetgrid.heat(a, 4).tobytes(), "two ranks give the same bits")
ok(abs(hetgrid.heat(numpy.eye(9), 1, alpha=[.2, .1])[0, 1]) == 0, "a list is an option with commas")
refuses("--alpha", "an unstable step", hetgrid.heat, numpy.eye(9), 1, alpha=.4)
refuses("^heat: starts from the array, not from input", "another input", hetgrid.heat, numpy.eye(9), 1, input="hotspot")
refuses("^an array of 4 dimensions", "an array of too many axes", hetgrid.heat, numpy.ones((2, 2, 2, 2)), 1)
refuses("--colour", "an unknown option", hetgrid.heat, numpy.eye(9), 1, colour=3)

for n, kind, rhs in [(50, numpy.float64, (50,)), (50, numpy.float64, (50, 3)), (120, numpy.float32, (120, 1))]:
    a, b = random.rand(n, n).astype(kind), random.rand(*rhs).astype(kind)
    x = hetgrid.solve(a, b)
    left = numpy.linalg.norm(a @ x - b) / (numpy.linalg.norm(a) * numpy.linalg.norm(x) * numpy.finfo(kind).eps)
    ok(x.shape == rhs and x.dtype == kind and left < n, "solve %d, %s, %s: residual %.2g eps" % (n, kind.__name__, rhs, left))
refuses("singular", "a singular matrix", hetgrid.solve, numpy.ones((5, 5)), numpy.arange(5.))
refuses("must be square", "a matrix that is not square", hetgrid.solve, numpy.ones((5, 4)), numpy.ones(5))
refuses("must have 5 rows", "a short right-hand side", hetgrid.solve, numpy.eye(5), numpy.ones(4))



def holds_not(kind, part, name, function, *words):
    try:
        function(*words)
        ok(False, name + ": nothing was said")
    except kind as error:
        ok(part in str(error), "%s (%s)" % (name, str(error)[:120]))


def one(a):
    return hetgrid.heat(a, 1)


square = numpy.arange(1., 17).reshape(4, 4)
for kind, part, name, value in [
        (ValueError, "array: has masked", "a masked array", numpy.ma.masked_equal(square, 3)),
        (ValueError, "array: has masked", "a list of masked rows", [numpy.ma.masked_equal(square[0], 3), square[1]]),
        (TypeError, "complex128", "complex numbers", square + 1j), (TypeError, "<U", "texts", square.astype(str)),
        (TypeError, "object", "objects", square.astype(object)), (TypeError, "datetime64", "dates", square.astype("M8[s]")),
        (ValueError, "array[1]: is nan", "NaN", numpy.array([1, numpy.nan])),
        (ValueError, "array[0]: 9007199254740993", "a whole number beyond 2^53", numpy.array([2 ** 53 + 1, 2])),
        (ValueError, "no values", "an array without values", numpy.zeros((0, 3)))]:
    holds_not(kind, part, name + " into heat", one, value)
holds_not(ValueError, "array: has masked", "... into the reference", hetgrid.heat_reference, numpy.ma.masked_equal(square, 3), 1)
holds_not(TypeError, "a: an array of complex", "a complex matrix", hetgrid.solve, square + 1j, square[0])
holds_not(ValueError, "b: has masked", "a masked right-hand side", hetgrid.solve, square, numpy.ma.masked_equal(square[0], 3))
holds_not(ValueError, "masked or None", "masked speeds", hetgrid.plan, (9, 9), numpy.ma.masked_equal([1, 2, 3], 2))
ok((hetgrid.heat(numpy.ma.array(square), 0) == square).all(), "a masked array in which nothing is masked")
wide = numpy.random.RandomState(8).rand(20, 30)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    holed = numpy.where(numpy.arange(90).reshape(9, 10) == 44, numpy.nan, -9999.)
    ok((hetgrid.heat(holed, 0, nodata="mask").filled(1) == numpy.where(numpy.isnan(holed), 1, holed)).all(), "NaN and -9999, without a warning")
parts = numpy.ma.masked_array(wide, mask=numpy.broadcast_to(numpy.arange(30) == 12, wide.shape))
got = hetgrid.heat(parts, 50, nodata="mask", boundary="insulated")
ok((got.mask == parts.mask).all() and abs(got[:, :12].mean() - wide[:, :12].mean()) < 1e-12 and abs(got[:, 13:].mean() - wide[:, 13:].mean()) < 1e-12,
   "masked cells are no part of the grid if that is asked for: cells next to them keep their heat")
again = hetgrid.heat(numpy.where(parts.mask, numpy.nan, wide), 50, nodata="mask", boundary="insulated")
ok((again.mask == got.mask).all() and (again == got).all(), "... as do those that are NaN")
ok(hetgrid.heat(wide.astype("f4"), 1, nodata="mask").dtype == numpy.float32, "... in single precision too")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    hetgrid.solve(numpy.vander(numpy.linspace(0, 1, 20)), numpy.ones(20))
    hetgrid.heat(numpy.eye(9), 3, tolerance=1e-9)
ok([w.category for w in said] == [hetgrid.ProgramWarning] * 2 and "no correct digit" in str(said[0].message) and
   "not converged" in str(said[1].message) and said[0].filename == __file__, "programs warn: %s" % [str(w.message) for w in said])

p = hetgrid.plan((100, 80), [3, 1, 2])
ok(sum(part["cells"] for part in p.parts) == 8000 and p.total["cut"] > 0 and p.grid == [100, 80], "a plan covers its grid")
ok(sorted(p.table()["cells"])[-1] == max(part["cells"] for part in p.parts), "... as a table too")
ok(p._repr_svg_().rstrip().endswith("</svg>"), "... and as a picture")
p.draw("plan.png")
ok(open("plan.png", "rb").read(4) == b"\x89PNG", "... in a file")
refuses("--speeds", "a negative speed", hetgrid.plan, (10, 10), [1, -1])

with open("table.csv", "w") as file:
    file.write("# a table\n1000,0,1e-5\n2000,0,1.6e-5 # more\n\n")
t = hetgrid.read_table("table.csv")
ok(list(t["w"]) == [1000, 2000] and numpy.allclose(t["speed"], [1e8, 1.25e8]), "a speed table")
with gzip.open("packed.csv.gz", "wt") as file:
    file.write("# points 2\n1d3;0;1e-5\n2000;0;1.6e-5\n")
ok(list(hetgrid.read_table("packed.csv.gz")["w"]) == [1000, 2000], "... packed, with semicolons and an exponent of Fortran's")
for text, part, name in (("# points 3\n1,0,1\n2,0,1\n", "truncated", "a truncated one"), ("1_0,0,1\n", ":1", "an underscore"),
                         ("\uff11,0,1\n", ":1", "a wide digit"), ("2,0,1\n1,0,1\n", ":2", "w that falls"), ("", "no numbers", "none")):
    with open("wrong.csv", "w", encoding="utf-8") as file:
        file.write(text)
    refuses("wrong.csv.*" + part, name, hetgrid.read_table, "wrong.csv")
with open("table.csv", "a") as file:
    file.write("3000,x\n")
refuses("table.csv:5", "a damaged one", hetgrid.read_table, "table.csv")

run = hetgrid.read_trace("run")
summary = {(s, i, q): v for s, i, q, v in zip(*(run["summary"][k] for k in ("section", "item", "quantity", "value")))}
ok(len(run["tasks"]["seconds"]) == int(summary["run", "", "tasks"]) > 0, "a trace has the tasks of its summary")
busy = sum(float(v) for k, v in summary.items() if k[2] == "busy_seconds")
ok(abs(sum(run["tasks"]["seconds"]) - busy) < 1e-3 * busy + 1e-5, "... and their time")
refuses("nowhere", "a missing trace", hetgrid.read_trace, "nowhere")

if os.path.exists(os.path.join(os.environ["HETGRID_BIN"], "hetgrid-heat-sim")):
    s = hetgrid.simulate("thesis", sizes=[400, 800], model=["even", "fpmc"], steps=20)
    ok(len(s["seconds"]) == 4 and min(s["seconds"]) > 0, "four simulated runs")
else:
    count += 1
    print("ok", count, "# SKIP no programs in virtual time")
os.environ["HETGRID_BIN"] = "/nowhere"
refuses("was not found", "missing programs", hetgrid.plan, (10, 10), [1, 1])
print("1..%d" % count)
raise SystemExit(failed > 0)
