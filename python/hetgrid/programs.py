# SPDX-License-Identifier: MIT
"""The installed programs on NumPy arrays, their tables and traces as frames, and the serial reference of heat from the
library by ctypes. plan and read_table need nothing but Python."""
import csv
import ctypes
import functools
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
import zlib

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eEdD][+-]?[0-9]+)?")


class Error(RuntimeError):
    """A program or the library refused or failed; the text is its message."""


class ProgramWarning(UserWarning):
    """A program did what it was asked and warned: of a solution without correct digits, of no convergence."""


# --- programs -----------------------------------------------------------------------------------------------------

def beside(*names):
    """A path (or the first that fits a pattern) under the prefix of this file, otherwise under that of the
    programs in PATH, or None."""
    here, program = os.path.dirname(os.path.realpath(__file__)), shutil.which("hetgrid-heat")
    prefixes = [os.path.join(here, "..", "..", "..", "..")]
    if program:
        prefixes.append(os.path.join(os.path.dirname(os.path.realpath(program)), ".."))
    paths = [path for prefix in prefixes for path in sorted(glob.glob(os.path.join(glob.escape(prefix), *names)))]
    return os.path.normpath(paths[0]) if paths else None


def _program(name):
    folder = os.environ.get("HETGRID_BIN")
    path = os.path.join(folder, name) if folder else beside("bin", name) or shutil.which(name)
    if not path or not os.path.exists(path):
        raise Error("%s was not found: set PATH or HETGRID_BIN to its folder" % (path or name))
    return path


def _word(value):
    if value is None:
        raise ValueError("an option's list has an element that is masked or None")
    if isinstance(value, (list, tuple)):
        return ",".join(_word(v) for v in value)
    return repr(float(value)) if isinstance(value, float) else str(value)


def _options(options):
    """Keywords as words of a command line; True is an option without a value, False and None are left out."""
    words = []
    for name, value in options.items():
        option = "--" + name.strip("_").replace("_", "-")
        if hasattr(value, "tolist"):  # NumPy's
            value = value.tolist()
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(option + "=" + _word(value))
    return words


def stacklevel():
    """stacklevel for warnings.warn in the caller: the first frame outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        level, frame = level + 1, frame.f_back
    return level


def _warn(said):
    """Turns a program's messages on standard error into warnings."""
    level = stacklevel()
    for line in said.splitlines():
        kind, colon, text = line.partition(": ")
        if kind.startswith("hetgrid") and colon:
            warnings.warn(text[len("warning: "):] if text.startswith("warning: ") else text, ProgramWarning, level)


def run(program, *words, ranks=1, **options):
    """Runs hetgrid-PROGRAM and returns what it printed. With ranks > 1 it is started by mpirun. Raises Error;
    what the program warns of is a ProgramWarning."""
    command = [_program("hetgrid-" + program)] + list(words) + _options(options)
    if ranks > 1:
        command = [os.environ.get("MPIEXEC", "mpirun"), "-n", str(ranks)] + command
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="surrogateescape")
    except OSError as error:
        raise Error("%s: %s" % (command[0], error.strerror)) from None
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.startswith("hetgrid")]
        raise Error("\n".join(said) or done.stderr.strip() or "%s: status %d" % (command[0], done.returncode))
    _warn(done.stderr)
    return done.stdout


def need_numpy():
    try:
        import numpy
    except ImportError:
        raise Error("this needs NumPy (Debian: python3-numpy)") from None
    return numpy


def _has_mask(numpy, value):
    if isinstance(value, (list, tuple)):
        return any(_has_mask(numpy, v) for v in value)
    return numpy.ma.is_masked(value)


def _at(numpy, wrong):
    """The place of the first of these, written as an index."""
    return "[%s]" % ", ".join(str(int(i)) for i in numpy.unravel_index(numpy.argmax(wrong), wrong.shape))


def as_numbers(name, value):
    """An argument as an array, in float32 if it is of that type, otherwise in float64, with unchanged values."""
    numpy = need_numpy()
    if _has_mask(numpy, value):
        raise ValueError("%s: has masked values, which are no numbers; choose some by %s.filled(NUMBER)" % (name, name))
    try:
        array = numpy.asarray(value)
    except ValueError as error:  # rows of unequal length
        raise ValueError("%s: %s" % (name, error)) from None
    if array.dtype.kind not in "biuf":
        raise TypeError("%s: an array of %s, must be of real numbers" % (name, array.dtype))
    if array.dtype.kind == "f" and not numpy.isfinite(array).all():
        wrong = ~numpy.isfinite(array)
        raise ValueError("%s%s: is %s, must be finite" % (name, _at(numpy, wrong), array[wrong][0]))
    if array.size == 0:
        raise ValueError("%s: has no values" % name)
    with numpy.errstate(over="ignore"):
        held = array.astype(numpy.float32 if array.dtype.kind + str(array.dtype.itemsize) == "f4" else numpy.float64)
    if array.dtype.kind in "iu":
        big = (array > 2 ** 53) | (array < -(2 ** 53)) if array.dtype.itemsize == 8 else numpy.zeros(array.shape, bool)
        wrong = numpy.zeros(array.shape, bool)
        wrong[big] = [int(float(v)) != int(v) for v in array[big]]
    else:
        wrong = held != array
    if wrong.any():
        raise ValueError("%s%s: %s is not exact in double precision" % (name, _at(numpy, wrong), array[wrong][0]))
    return numpy.ascontiguousarray(held).reshape(array.shape)


def _check_axes(array):
    if not 1 <= array.ndim <= 3:
        raise Error("an array of %d dimensions, must be 1 to 3" % array.ndim)


def check_whole(name, value):
    """Raises ValueError unless it is a whole number >= 0."""
    if isinstance(value, (str, bytes)) or not abs(value) < float("inf") or int(value) != value or value < 0:
        raise ValueError("%s: %r, must be a whole number >= 0" % (name, value))


def _without_data(numpy, array):
    """The array with 0 in cells without data, which are masked or NaN, and the mask of these."""
    mask, values = numpy.ma.getmaskarray(array), numpy.ma.getdata(array)
    if values.dtype.kind == "f":
        mask = mask | numpy.isnan(values)
    return numpy.where(mask, values.dtype.type(0), values), mask


# --- tables -------------------------------------------------------------------------------------------------------

def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _table(columns, rows):
    """Rows as a frame, or a dictionary of columns."""
    data = {name: [row[i] for row in rows] for i, name in enumerate(columns)}
    try:
        import pandas
        return pandas.DataFrame(data, columns=columns)
    except ImportError:
        pass
    try:
        import numpy
        return {name: numpy.array(values) for name, values in data.items()}
    except ImportError:
        return data


def _from_csv(text):
    rows = list(csv.reader(text.splitlines()))
    if not rows:
        raise Error("a table without a header")
    return _table(rows[0], [[_number(word) for word in row] for row in rows[1:]])


def _text_lines(path):
    """The lines of a text, which may be compressed by gzip."""
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rt", encoding="utf-8-sig") if packed else open(path, encoding="utf-8-sig") as file:
        try:
            return file.read().splitlines()
        except (EOFError, OSError, UnicodeDecodeError, zlib.error) as error:
            raise Error("%s: %s" % (path, error)) from None


def read_table(path):
    """A measured speed table (hetgrid-calibrate): columns w (cells), c (items exchanged), time (s) and speed (cells/s)."""
    rows, points = [], None
    for number, line in enumerate(_text_lines(path), 1):
        place = "%s:%d: %r" % (path, number, line.strip()[:40])
        said = re.fullmatch(r"# ?points ([0-9]+)", line)
        if said and not rows:
            points = int(said[1])
        text = line.split("#")[0].strip()
        if not text:
            continue
        words = re.split(r"\s*[,;]\s*|\s+", text)
        if len(words) != 3 or not all(_NUMBER.fullmatch(word) for word in words):
            raise Error(place + " is not w,c,time")
        w, c, time = (float(re.sub("[dD]", "e", word)) for word in words)
        if not (0 < time < float("inf") and 0 < w < float("inf") and 0 <= c < float("inf")):
            raise Error(place + ", must be w > 0, c >= 0 and time > 0")
        if rows and not (w > rows[-1][0] or (w == rows[-1][0] and c > rows[-1][1])):
            raise Error(place + ": w, and c of one w, must increase")
        rows.append([w, c, time, w / time])
    have = len({row[0] for row in rows})
    if not rows:
        raise Error("%s: holds no numbers" % path)
    if points is not None and have != points:
        raise Error("%s: has %d of the %d points that its header announces; the file is truncated" % (path, have, points))
    return _table(["w", "c", "time", "speed"], rows)


def read_trace(folder):
    """A recorded run (--trace=FOLDER) as a dictionary of tables: "tasks" (kind, rank, worker, start and seconds, job,
    iteration, x, y, z; -1 where there is none), "messages" (from, to, sent and received, bytes) and "summary" (section,
    item, quantity, value). Times are in s since the run's start."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "events.json")
        run("trace", os.fspath(folder), chrome=path)
        with open(path) as file:
            events = json.load(file)["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tasks, ends = [], {}
    for e in events:
        if e.get("cat") == "task":
            more = e["args"]
            tasks.append([e["name"], e["pid"], names[e["pid"], e["tid"]], e["ts"] * 1e-6, e["dur"] * 1e-6, more["job"],
                          more.get("iteration", -1)] + more.get("tile", [-1, -1, -1]))
        elif e.get("cat") == "message" and e["ph"] == "X":
            last = e
        elif e.get("cat") == "message":
            ends.setdefault(e["id"], {})[e["ph"]] = (e["pid"], e["ts"] * 1e-6, last["args"]["bytes"])
    messages = [[m["s"][0], m["f"][0], m["s"][1], m["f"][1], m["s"][2]] for m in ends.values()]
    return {"tasks": _table(["kind", "rank", "worker", "start", "seconds", "job", "iteration", "x", "y", "z"], tasks),
            "messages": _table(["from", "to", "sent", "received", "bytes"], messages),
            "summary": _from_csv(run("trace", os.fspath(folder), csv=True))}


# --- what the programs do -----------------------------------------------------------------------------------------

class Plan:
    """A divided grid: parts (a dictionary each: id, speed, x, y, z, w, h, d, cells, neighbours, messages, items,
    seconds), total (cut, items, makespan, imbalance, ...), partition and grid; energy of a plan for a platform, otherwise
    None. Notebooks show its picture."""

    def __init__(self, said, words):
        self.grid, self.partition = said["grid"], said["partition"]
        self.parts, self.total, self.energy = said["parts"], said["total"], said.get("energy")
        self._words = words

    def table(self):
        """The parts as a table."""
        names = list(self.parts[0])
        return _table(names, [[part[name] for name in names] for part in self.parts])

    def draw(self, path):
        """Draws the parts to a .svg, .png or .pdf file."""
        run("plan", *self._words, quiet=True, picture=os.fspath(path))

    def _repr_svg_(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "plan.svg")
            self.draw(path)
            with open(path) as file:
                return file.read()


def plan(grid, speeds, **options):
    """Divides a grid of cells (columns, rows, layers) among processors by their speeds, as hetgrid-plan does."""
    words = _options(dict(grid=list(grid), speeds=speeds, **options))
    return Plan(json.loads(run("plan", *words, "--json")), words)


def heat(array, steps=100, ranks=1, **options):
    """The array after so many steps of the heat equation by hetgrid-heat: a new one of the same shape, of float32 if it
    is that, else float64. Rows are y, as NumPy has them: array[y, x] or array[z, y, x]. With nodata="mask" cells that
    are masked or NaN are no part of the grid, and the result is a masked array."""
    numpy = need_numpy()
    mask = None
    for name in {"init", "input"} & set(options):  # one replaces the other
        raise Error("heat: starts from the array, not from %s" % name)
    if options.get("nodata") == "mask":
        array, mask = _without_data(numpy, numpy.ma.asarray(array))
    array = as_numbers("array", array)
    _check_axes(array)
    if mask is not None:
        array[mask] = numpy.nan
    single = array.dtype == numpy.float32
    with tempfile.TemporaryDirectory() as scratch:
        before, after = (os.path.join(scratch, name) for name in ("before.npy", "after.npy"))
        numpy.save(before, array)
        with warnings.catch_warnings():  # the mask is handled here
            warnings.filterwarnings("ignore", ".*cells without data are", ProgramWarning)
            run("heat", ranks=ranks, init=before, output=after, steps=steps, precision="float" if single else "double",
                quiet=True, **options)
        result = numpy.load(after).reshape(array.shape)
    return result if mask is None else numpy.ma.array(result, mask=mask)


def solve(a, b, ranks=1, **options):
    """x of a x = b by hetgrid-elimination, of the shape of b: (n,) or (n, k). float32 if both are, else float64. Raises
    Error if the matrix is singular."""
    numpy = need_numpy()
    a, b = as_numbers("a", a), as_numbers("b", b)
    kind = numpy.float32 if a.dtype == b.dtype == numpy.float32 else numpy.float64
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise Error("the matrix has the shape %s, must be square" % (a.shape,))
    if b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:
        raise Error("the right-hand side has the shape %s, must have %d rows" % (b.shape, a.shape[0]))
    with tempfile.TemporaryDirectory() as scratch:
        matrix, rhs, x = (os.path.join(scratch, name) for name in ("a.npy", "b.npy", "x.npy"))
        numpy.save(matrix, a.astype(kind, copy=False))
        numpy.save(rhs, b.astype(kind, copy=False))
        run("elimination", ranks=ranks, matrix=matrix, rhs=rhs, output=x, quiet=True,
            precision="float" if kind == numpy.float32 else "double", **options)
        return numpy.load(x).astype(kind, copy=False).reshape(b.shape)


def simulate(platform, **options):
    """Runs a program on a described machine in virtual time, as hetgrid-simulate does: a table with a row a run."""
    return _from_csv(run("simulate", platform=platform, csv=True, progress="off", **options))


# --- the library --------------------------------------------------------------------------------------------------

def library_path():
    """The library's path, or its name alone if the system's linker is to find it."""
    return os.environ.get("HETGRID_LIBRARY") or beside("lib*", "libhetgrid.so.1") or "libhetgrid.so.1"


@functools.lru_cache(maxsize=None)
def library():
    try:
        loaded = ctypes.CDLL(library_path())
    except OSError as error:
        raise Error("the library was not found (%s): set HETGRID_LIBRARY" % error) from None
    loaded.hg_message.restype = ctypes.c_char_p
    loaded.hg_steps_done.restype = ctypes.c_int64
    loaded.hg_reduced.restype = ctypes.c_double
    loaded.hg_is_finished.restype = ctypes.c_bool
    return loaded


def heat_reference(array, steps, alpha=None, boundary="fixed"):
    """The same as heat for one kind of boundary on all sides (fixed, insulated or periodic), by the library's serial
    reference hg_heat_reference_*: every neighbour found by index, one step after the other. alpha: of each axis, x
    first; by default that of hetgrid-heat."""
    numpy = need_numpy()
    array = as_numbers("array", array)
    single = array.dtype == numpy.float32
    known = ["fixed", "insulated", "periodic"]
    if boundary not in known:
        raise Error("boundary '%s' is unknown; known: %s" % (boundary, " ".join(known)))
    kind = known.index(boundary)
    _check_axes(array)
    alpha = [.1] * array.ndim if alpha is None else as_numbers("alpha", list(alpha)).tolist()
    check_whole("steps", steps)
    if len(alpha) != array.ndim:
        raise Error("alpha has %d numbers, must be %d" % (len(alpha), array.ndim))
    values = array.copy()
    room = numpy.empty_like(values)
    n = (ctypes.c_int64 * 3)(*(list(array.shape[::-1]) + [1, 1])[:3])
    kinds = (ctypes.c_int * 6)(*[kind] * 6)
    weights = (ctypes.c_double * 3)(*(alpha + [0, 0])[:3])
    advance = library().hg_heat_reference_float if single else library().hg_heat_reference_double
    advance.restype = ctypes.c_double
    advance(ctypes.c_int(array.ndim), n, kinds, weights, ctypes.c_int64(int(steps)), values.ctypes.data_as(ctypes.c_void_p),
            room.ctypes.data_as(ctypes.c_void_p), None)
    return values
