# SPDX-License-Identifier: MIT
"""Updates of hetgrid.Update against NumPy, as TAP; run by update.sh."""
import ctypes
import gc
import os
import signal
import threading
import warnings
import numpy
import hetgrid

count = failed = 0


def ok(good, name):
    global count, failed
    count += 1
    failed += not good
    print("ok" if good else "not ok", count, "-", name, flush=True)


def refuses(kind, part, name, function, *words, **options):
    try:
        function(*words, **options)
        ok(False, name + ": nothing was said")
    except kind as error:
        ok(part in str(error), "%s (%s)" % (name, (str(error) or repr(error)).splitlines()[0][:150]))


def stepped(a, update, steps, boundary):
    """The same by NumPy: update(v) is the new value, v(offsets) the values there."""
    for step in range(steps):
        mode = {"periodic": "wrap", "insulated": "symmetric", "fixed": "edge"}[boundary]
        wide = numpy.pad(a, 1, mode=mode)
        after = update(lambda *d: wide[tuple(slice(1 + i, 1 + i + n) for i, n in zip(d, a.shape))]).astype(a.dtype)
        if boundary == "fixed":
            inner = (slice(1, -1),) * a.ndim
            keep, a = after[inner], a.copy()
            a[inner] = keep
        else:
            a = after
    return a


random = numpy.random.RandomState(5)
mean = hetgrid.Update("(u[-1,0] + u[1,0] + u[0,-1] + u[0,1]) / 4")
for kind in (numpy.float64, numpy.float32):
    for boundary in ("fixed", "insulated", "periodic"):
        a = random.rand(61, 83).astype(kind)
        before = a.copy()
        got = mean.run(a, 17, boundary=boundary)
        want = stepped(a, lambda v: (((v(-1, 0) + v(1, 0)) + v(0, -1)) + v(0, 1)) / kind(4), 17, boundary)
        ok(got.dtype == kind and got.tobytes() == want.tobytes(), "the mean of neighbours, %s, %s: NumPy's bits" % (kind.__name__, boundary))
        ok(a.tobytes() == before.tobytes(), "... and the array is what it was")
a = random.rand(7, 9)
ok((hetgrid.Update("u[-1,0]").run(a, 1, boundary="periodic") == numpy.roll(a, 1, 0)).all(), "offsets go along the array's axes")
ok((hetgrid.Update("u[0,-1]").run(a, 1, boundary="periodic") == numpy.roll(a, 1, 1)).all(), "... both")
ok((hetgrid.Update("u[0,0,1]").run(numpy.ones((4, 5, 6)).cumsum(2), 1, boundary="periodic")[..., 0] == 2).all(), "three axes")
ok((hetgrid.Update("u[-1]").run(numpy.asfortranarray(numpy.arange(6.)), 1, boundary="periodic") == [5, 0, 1, 2, 3, 4]).all(), "one axis")
ok((hetgrid.Update("x + 10*y + 100*step + nx").run(numpy.zeros((2, 3)), 2, boundary="periodic") == 103 + numpy.add.outer([0, 10], [0, 1, 2])).all(),
   "x, y, nx, step")
life = hetgrid.Update(
    "where((u[-1,-1]+u[-1,0]+u[-1,1]+u[0,-1]+u[0,1]+u[1,-1]+u[1,0]+u[1,1]) == 3 or "
    "(u == 1 and (u[-1,-1]+u[-1,0]+u[-1,1]+u[0,-1]+u[0,1]+u[1,-1]+u[1,0]+u[1,1]) == 2), 1, 0)")
cells = (random.rand(40, 30) < .3).astype(numpy.uint8)
near = lambda v: sum(v(i, j).astype(int) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
ok((life.run(cells, 12, boundary="periodic") == stepped(cells, lambda v: (near(v) == 3) | ((v(0, 0) == 1) & (near(v) == 2)), 12, "periodic")).all(),
   "the game of life on bytes")
for text, value, want in [("u // 2", -7, -4), ("u % 3", -7, 2), ("u / 2", 7, 3), ("max(u, 3, 2)", 1, 3), ("abs(u)", -5, 5), ("u**2", 3, 9),
                          ("-u if u > 0 else u", 4, -4), ("u + k", 1, 3), ("1 < u < 3", 2, 1), ("not u", 0, 1)]:
    more = {"k": 2.5} if "k" in text else {}
    got = hetgrid.Update(text, **more).run(numpy.full(4, value, numpy.int64), 1, boundary="periodic")[0]
    ok(got == want, "whole numbers: %s at %d is %d" % (text, value, got))
def becomes(text, kind, value):
    return hetgrid.Update(text).run(numpy.full(4, value, kind), 1, boundary="periodic")[0]


def by_python(text, kind, value):
    """The same with Python's own numbers, stored in the array's type."""
    names = {"u": int(value) if numpy.dtype(kind).kind in "iu" else float(value), "pi": numpy.pi,
             "where": lambda c, a, b: a if c else b, "floor": lambda a: float(numpy.floor(a))}
    want = eval(text, {"__builtins__": {"abs": abs, "min": min, "max": max}}, names)
    return numpy.array(int(want)).astype(kind) if numpy.dtype(kind).kind in "iu" else kind(want)


for text in ("u**2 // 3", "u**3 % 7", "(u**2 - 40) // 7", "-u**2 // 3", "u**5 // 10", "u**0 // 2 + u**6 % 5", "(1 - u**2) % 5", "u**2 / 2 // 3",
             "where(u > 0.5, u, 1) // -2", "(u > 0.5) - 3 // 2", "(-u // 2 if u > 0.5 else 1) // 2", "floor(u / 2) // 2", "abs(u - 9) // 2", "(u * .5) // 1", "u % -4",
             "min(u, 2.5) % 1 * 8", "u and 7", "u or 7", "0 and u", "0 or u", "u and 2.5 and 8", "(u and 3) + (0 or u)", "u > 2 and u", "not u or 5", "(u or 1) // 3",
             "u > 1 and u < 9 or 4", "(u and 0.5) * 8"):
    for value in (0, 1, 5, -7):
        got, want = becomes(text, numpy.int64, value), by_python(text, numpy.int64, value)
        ok(got == want, "whole numbers as Python's: %s at %d is %d (%d)" % (text, value, want, got))
for text in ("1 % (u / 10)", "u // 0.1", "u % 0.3", "-u % 3", "u**2 // 3", "u**3 % 7", "u and 7", "u or .25", "u > 1 and u", "(u and 2) or 3", "(-u) // 3 + u % -3"):
    for kind in (numpy.float64, numpy.float32):
        for value in (0, 1, 2.5, -4.75):
            if kind == numpy.float64 and not (value == 0 and text.startswith("1 %")):
                got, want = becomes(text, kind, value), by_python(text, kind, value)
                ok(got == want, "real numbers as Python's: %s at %g is %r (%r)" % (text, value, want, got))
    got = becomes(text, numpy.float32, 2.5)
    ok(got.dtype == numpy.float32 and (text[-1] in "13" or abs(got - by_python(text, numpy.float64, 2.5)) < 1e-5), "... %s in float32: %r" % (text, got))
ok(all(becomes("1 / abs(u)", kind, -0.) == numpy.inf for kind in (numpy.float64, numpy.float32)), "the modulus of -0 is 0")
for text, kind, value in [("u - 1 < 0", numpy.uint32, 0), ("(u - 1) // 2", numpy.uint32, 0), ("u * u // 65536", numpy.int32, 2 ** 30), ("u**3 // 2**58", numpy.int32, 2 ** 20),
                          ("(u + u) // 2", numpy.uint32, 2 ** 32 - 1), ("65536 * 65536 // u", numpy.int32, 3), ("u - 5 if u - 5 > 0 else 0", numpy.uint8, 3), ("-u // 2", numpy.uint16, 7),
                          ("max(u - 300, -1) + 1", numpy.uint32, 5), ("abs(u - 9)", numpy.uint32, 2), ("u[-1] * 1000 // 7", numpy.int8, 100), ("u / 2 - 3", numpy.uint8, 2)]:
    got, want = becomes(text, kind, value), by_python(text.replace("u[-1]", "u"), kind, value)
    ok(got == want, "computed wide enough: %s of %s at %d is %d (%d)" % (text, kind.__name__, value, want, got))
least = -2 ** 63
ok(becomes("u // -1", numpy.int64, least) == least and becomes("u % -1", numpy.int64, least) == 0, "the least whole number, divided by -1, wraps as NumPy's")
for text, kind, value, want in [("u / 0", numpy.int64, 1, 2 ** 63 - 1), ("u * -1e30", numpy.int64, 1, -2 ** 63), ("0.0 * (u / 0)", numpy.int32, 1, 0)]:
    got = becomes(text, kind, value)
    ok(got == want, "a real result that int64 does not hold: %s of %s is %d" % (text, kind.__name__, got))
refuses(TypeError, "array: uint64 holds more than int64", "uint64", mean.run, numpy.ones((3, 3), numpy.uint64), 1)
for text, want in [("u // 1", -3), ("u % 2", 1.5), ("exp(0*u) + sin(0) + sqrt(4)", 3), ("min(u, 1) * pi", -2.5 * numpy.pi), ("u**0.5 if u > 0 else 1/4", .25)]:
    got = hetgrid.Update(text).run(numpy.full(4, -2.5), 1, boundary="periodic")[0]
    ok(got == want, "real numbers: %s at -2.5 is %r" % (text, got))
refuses(ValueError, "no keywords", "a keyword of a function", hetgrid.Update, "random(k=3)")
refuses(ValueError, "parts within parts", "an expression as deep as a well", hetgrid.Update, "u" + "+1" * 20000)
refuses(ValueError, "2 ** 63", "a vast exponent", hetgrid.Update("u ** 9223372036854775808").run, numpy.ones(9, numpy.int64), 1)
refuses(ValueError, "steps", "infinitely many steps", hetgrid.Update("u").run, numpy.ones(9), float("inf"))
minus = hetgrid.Update("u ** 2147483649").run(numpy.full(9, -1), 1, boundary="periodic")
ok((minus == -1).all(), "an odd exponent beyond 2^31")
with hetgrid.Update("u + 1").start(numpy.full(8, 2 ** 60), 100, boundary="periodic", tolerance=.5, every=10) as r:
    r.advance(100)
    ok(r.done == 100 and r.change == 1, "whole numbers beyond 2^53 change by 1 (%d steps, %g)" % (r.done, r.change))
with hetgrid.Update("(u[-1,0] + u[1,0] + u[0,1] + u[0,-1]) / 4").start(
        numpy.random.rand(300, 200), 3000, partition="".join(("n", "php")), boundary="".join(("insu", "lated")), rebalance=1e-6) as r:
    for i in range(30):
        junk = [("%08d" % (i * 100 + j)).encode()[:4 + j % 3] for j in range(2000)]
        r.advance(100)
    ok(r.done == 3000, "names without other references last as long as the run (%d texts)" % len(junk))
r = hetgrid.Update("random(k)", k=1).run(numpy.zeros(1000), 1, boundary="periodic")
ok(0 <= r.min() < r.max() < 1 and abs(r.mean() - .5) < .05, "random numbers of [0, 1)")

growth = hetgrid.Update("u + rate * u[0]", rate=1.)
ok(growth.run(numpy.ones(5), 3, boundary="periodic")[0] == 8 and growth.run(numpy.ones(5), 1, rate=2, boundary="periodic")[0] == 3, "parameters, given early or late")
hot = numpy.zeros((30, 30))
hot[0] = 1
with mean.start(hot, tolerance=1e-6, every=10) as run:
    run.advance(10 ** 6)
    for wrong in (-5, 1.5, "3"):
        refuses(ValueError, "steps: %r, must be" % (wrong,), "advance by %r" % (wrong,), run.advance, wrong)
    ok(run.finished and 0 < run.change <= 1e-6 and run.done % 10 == 0 and run.done < 10 ** 5, "it ends when nothing changes by more than the tolerance: step %d, %g" % (run.done, run.change))
    refuses(hetgrid.Error, "another run exists", "a second run at the same time", mean.run, hot, 1)
    gc.collect()
    hetgrid.update.library().hg_free(ctypes.c_void_p(16))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run.values()
    ok(["hg_free: this run has already been finished or freed" in str(w.message) for w in said] == [True], "... and what the library then warns of is still heard")
seen = []
mean.run(hot, 1000, until=lambda run: seen.append(run.done) or (len(seen) == 4 and run.values()[1, 15] > 0), every=7)
ok(seen == [7, 14, 21, 28], "until is asked after each multiple of `every`: %s" % seen)
told = []
mean.run(hot, 50, progress=lambda done, steps: told.append((done, steps)))
ok(told[-1] == (50, 50) and [d for d, _ in told] == sorted(d for d, _ in told), "progress: %s" % told[-2:])
five = mean.run(hot, 5)
with mean.start(hot, 20) as run:
    first = run.advance(5).values()
    ok(run.done == 5 and first.tobytes() == five.tobytes() and run.advance(99).done == 20, "a loop of the program's own")


def fails_within(_):
    raise KeyError("mine")


refuses(KeyError, "mine", "what `until` raises comes through", mean.run, hot, 100, until=fails_within)
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
refuses(KeyboardInterrupt, "", "Ctrl-C ends a long run", mean.run, hot, 10 ** 12)
ok(mean.run(hot, 1)[1, 1] == .25, "... and the next one runs")

for text, part in [("u[-1,0] +", "update 'u[-1,0] +'"), ("u[1] + u[0,1]", "u has 2 offsets, must have 1"), ("u[k]", "column 1: an offset"), ("u[1,1,1,1]", "1 to 3"),
                   ("system(1)", "system is no function"), ("u.shape", "Attribute has no place"), ("u[20]", "reaches 20 cells"), ("'a'", "is not a real number"),
                   ("(lambda: 1)()", "no function"), ("u[0] @ 2", "MatMult"), ("u; 1", "update")]:
    refuses(ValueError, part, "the text %r" % text, hetgrid.Update, text)
refuses(TypeError, "has no parameter colour", "an unknown parameter", mean.run, hot, 1, colour=3)
refuses(TypeError, "needs the parameter k", "one that is missing", hetgrid.Update("k*u").run, hot, 1)
refuses(ValueError, "has 1 axes", "an array of other dimensions", mean.run, numpy.ones(5), 1)
refuses(ValueError, "array[1]: is nan", "NaN", hetgrid.Update("u").run, numpy.array([1, numpy.nan]), 1)
refuses(TypeError, "complex", "complex numbers", hetgrid.Update("u").run, numpy.ones(3) + 1j, 1)
refuses(hetgrid.Error, "boundary", "an unknown boundary", mean.run, hot, 1, boundary="open")
refuses(hetgrid.Error, "partition", "an unknown partition", mean.run, hot, 1, partition="nonsense")
refuses(ValueError, "steps: 1.5", "half a step", mean.run, hot, 1.5)
os.environ["HETGRID_CC"] = "/nowhere/cc"
refuses(hetgrid.Error, "/nowhere/cc", "a missing compiler", hetgrid.Update("u + 17").run, hot, 1)
del os.environ["HETGRID_CC"]
include = os.environ["HETGRID_INCLUDE"]
os.environ["HETGRID_INCLUDE"] = "/nowhere"
refuses(hetgrid.Error, "app.h was not found in /nowhere: set HETGRID_INCLUDE", "missing headers", hetgrid.Update("u + 18").run, hot, 1)
os.environ["HETGRID_INCLUDE"] = include
kept = sorted(os.listdir(os.environ["HETGRID_CACHE"]))
hetgrid.Update(mean.text).run(hot, 1)
ok(len(kept) > 10 and kept == sorted(os.listdir(os.environ["HETGRID_CACHE"])), "what is compiled is kept: %d updates" % len(kept))
os.environ["STARPU_NCPU"] = "900"
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    mean.run(hot, 1)
ok([w.category for w in said] == [hetgrid.ProgramWarning] and "STARPU_NCPU=900" in str(said[0].message) and said[0].filename == __file__,
   "what the library warns of is a warning: %s" % [str(w.message) for w in said])
print("1..%d" % count)
raise SystemExit(failed > 0)
