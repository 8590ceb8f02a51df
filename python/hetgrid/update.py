# SPDX-License-Identifier: MIT
"""Updates that are given as texts, compiled and run by the library in this process (docs/PYTHON.md)."""
import atexit
import ctypes
import functools
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

from . import expression
from .programs import Error, ProgramWarning, as_numbers, beside, check_whole, library, library_path, need_numpy, stacklevel

TYPES = {"f8": "double", "f4": "float"}
TYPES.update(("%s%d" % (kind, size), "%sint%d_t" % ("u" * (kind == "u"), 8 * size))
             for kind in "iu" for size in (1, 2, 4, 8) if kind + str(size) != "u8")
FIRST, LOOK = 2 ** 28, 0.25  # cells updated before the first look at signals and progress; s between later ones
_warned = []  # warnings of the library that have not been passed on yet
_keep_warning = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)(
    lambda text, _: _warned.append(text.decode(errors="replace")))


# --- compiling a text ----------------------------------------------------------------------------------------------

def _cache_folder():
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.environ.get("HETGRID_CACHE") or os.path.join(root, "hetgrid", "updates")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def _nvcc():
    """nvcc, if there is a GPU (HETGRID_CUDA=1: always, 0: never)."""
    wanted = os.environ.get("HETGRID_CUDA") or ("1" if glob.glob("/dev/nvidia[0-9]*") else "0")
    path = shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc" if os.path.exists("/usr/local/cuda/bin/nvcc") else None)
    return path if wanted != "0" else None


def _headers():
    """The option for the folder of hetgrid/app.h: HETGRID_INCLUDE, otherwise where it is, not any include/ nearby."""
    app, given = os.path.join("hetgrid", "app.h"), os.environ.get("HETGRID_INCLUDE")
    near, library_folder = beside("include", app), os.path.dirname(library_path())
    folders = [given] if given else ([near[:-len(app)]] if near else []) + (
        [os.path.join(library_folder, "..", "include")] if library_folder else []) + ["/usr/local/include", "/usr/include"]
    for folder in folders:
        if os.path.exists(os.path.join(folder, app)):
            return ["-I" + folder]
    raise Error("%s was not found in %s: set HETGRID_INCLUDE to the folder of the library's headers" %
                (app, ", ".join(os.path.normpath(folder) for folder in folders)))


def _call(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    except OSError as error:
        raise Error("%s: %s (HETGRID_CC names a C compiler)" % (command[0], error.strerror)) from None
    if done.returncode != 0:
        raise Error("%s: %s" % (command[0], "\n".join(done.stdout.strip().splitlines()[:5])))


def _write(path, defines):
    """Writes a file with the defines, then update.c."""
    template = os.path.join(os.path.dirname(os.path.realpath(__file__)), "update.c")
    with open(path, "w") as file:
        file.writelines("#define %s\n" % define for define in defines)
        file.write('#include "%s"\n' % template)
    return path


def _opened(path):
    """The library at the path, or None if it is missing or damaged."""
    try:
        return ctypes.CDLL(path) if os.path.exists(path) else None
    except OSError:
        return None


def _compile(defines, path):
    """Compiles a library of an update; it replaces the file at the path atomically."""
    compiler = (os.environ.get("HETGRID_CC") or os.environ.get("CC") or "cc").split()
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as scratch:
        parts, out, nvcc = [], os.path.join(scratch, "update.so"), _nvcc()
        source = _write(os.path.join(scratch, "update.c"), defines)
        if nvcc:
            libraries = os.path.join(os.path.dirname(os.path.dirname(nvcc)), "lib64")
            parts = [os.path.join(scratch, "cuda.o"), "-L" + libraries, "-lcudart"]
            flags = ["-x", "cu", "-std=c++20", "-O3", "-fmad=false", "-Xcompiler", "-fPIC", "-c", source]
            _call([nvcc, "-o", parts[0]] + flags + _headers())
            source = _write(source, defines + ["HETGRID_CUDA"])
        flags = ["-std=gnu11", "-O3", "-fwrapv", "-fPIC", "-shared", source, "-o", out]
        _call(compiler + flags + _headers() + parts + [library_path(), "-lm"])
        os.replace(out, path)
    return ctypes.CDLL(path)


def _key(words):
    """A name for all that a library of an update is made of: texts, compiler, headers, the library itself."""
    known = os.stat(library_path())
    words = words + [os.environ.get("HETGRID_CC", ""), os.environ.get("CC", ""), str(_nvcc()), library_path(),
                     str(known.st_mtime_ns), str(known.st_size)]
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "update.c")) as file:
        words.append(file.read())
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


class _Compiled:
    def __init__(self, text, dtype):
        whole, single = dtype.kind in "iu", dtype.str[1:] == "f4"
        said = expression.translate(text, whole, single)
        self.dims, self.parameters, self.real = said.dims, said.parameters, "f4" if single else "f8"
        self.text, self.radius, self.c_real = said.text, said.radius, said.real
        self.value, self._loaded = TYPES[dtype.str[1:]], {}

    def load(self, dims):
        if dims not in self._loaded:
            defines = ["HG_VALUE " + self.value, "HG_DIMS %d" % dims, "HG_RADIUS %d" % self.radius,
                       "HETGRID_REAL " + self.c_real, "HETGRID_EXPRESSION " + self.text]
            library()  # loaded first, so that libraries linked with it find it by name
            path = os.path.join(_cache_folder(), _key(defines) + ".so")
            self._loaded[dims] = _opened(path) or _compile(defines, path)
        return self._loaded[dims]


class Update:
    """An update of the cells of a grid: Update("(u[-1,0] + u[1,0] + u[0,-1] + u[0,1]) / 4").

    u[..] is the value of a neighbour before the step, by its distance along the array's axes; u the cell's own. x, y, z
    are the cell's place (x: along the last axis), nx, ny, nz the grid's extents, step the number of the step, random(k)
    a number of [0, 1) for cell, step and k. Operators, comparisons, `a if c else b` and and, or, not are Python's;
    functions: abs min max where sqrt exp log sin cos tan sinh cosh tanh atan floor ceil. Other names are parameters,
    given here or to `start` and `run` as keywords. The text is checked at once (ValueError), and compiled when an array
    is first given, for its dtype; what was compiled is kept in HETGRID_CACHE (default ~/.cache/hetgrid/updates)."""

    def __init__(self, text, **parameters):
        self.text, self.parameters, self._compiled = text, parameters, {}
        known = expression.translate(text, False, False).parameters
        for name in parameters:
            if name not in known:
                raise TypeError("update %r has no parameter %s; it has: %s" % (text, name, " ".join(known) or "none"))

    def __repr__(self):
        return "hetgrid.Update(%r)" % self.text

    def compiled(self, dtype):
        if dtype.str[1:] not in self._compiled:
            self._compiled[dtype.str[1:]] = _Compiled(self.text, dtype)
        return self._compiled[dtype.str[1:]]

    def start(self, array, steps=2 ** 50, boundary="fixed", partition=None, rebalance=0., tolerance=0., every=0,
              **parameters):
        """A Run that begins with the array's values, of any real dtype but float16 and long double; the array is copied.
        boundary, partition: as of hetgrid-heat; rebalance: as hg_job has it. The run has ended after so many steps, or
        when no value changes by more than the tolerance in a step, which is measured every so many steps."""
        return Run(self, array, steps, boundary, partition, rebalance, tolerance, every,
                   dict(self.parameters, **parameters))

    def run(self, array, steps=100, until=None, progress=None, **options):
        """The array after so many steps, or fewer: a new one of the same shape and dtype. Options: those of `start`.
        until(run): called every `every` steps (default 100), ends the run by returning true. progress: True shows a line
        on standard error, a function gets (steps done, steps). Of several ranks rank 0 gets the array, others None."""
        if until is not None or options.get("tolerance"):
            options.setdefault("every", 100)
        with self.start(array, steps, **options) as run:
            run.advance(steps, until=until, progress=progress)
            return run.values()


# --- running it ---------------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def _heard_library():
    """The library; from now on its warnings are collected until the process ends."""
    heard = library()
    heard.hg_on_warning(_keep_warning, None)
    atexit.register(heard.hg_on_warning, None, None)
    return heard


def _text(word):
    return None if word is None else str(word).encode()


def _address(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def _bar(done, steps):
    sys.stderr.write("\r%d of %d steps%s" % (done, steps, "\n" if done == steps else ""))
    sys.stderr.flush()


def _prepare(array):
    """The array in one of TYPES, contiguous: whole numbers unchanged, others by as_numbers."""
    numpy = need_numpy()
    whole = isinstance(array, numpy.ndarray) and array.dtype.kind in "iu" and not numpy.ma.is_masked(array)
    if whole and array.dtype.kind + str(array.itemsize) == "u8":
        raise TypeError("array: uint64 holds more than int64, which updates compute whole numbers in")
    array = array if whole else as_numbers("array", array)
    if not 1 <= array.ndim <= 3 or array.size == 0:
        raise ValueError("array: has the shape %s, must have 1 to 3 axes and values" % (array.shape,))
    return numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))


class Run:
    """A running update: a context manager. One may be live in a process at a time; under mpirun all ranks make the same
    calls. Failures are hetgrid.Error, what the library warns of hetgrid.ProgramWarning."""

    def __init__(self, update, array, steps, boundary, partition, rebalance, tolerance, every, parameters):
        numpy, self._run = need_numpy(), ctypes.c_void_p()
        array = _prepare(array)
        compiled = update.compiled(array.dtype)
        if compiled.dims not in (None, array.ndim):
            raise ValueError("array: has %d axes, the update %r is for %d" % (array.ndim, update.text, compiled.dims))
        missing = [name for name in compiled.parameters if name not in parameters]
        unknown = [name for name in parameters if name not in compiled.parameters]
        if missing or unknown:
            raise TypeError("update %r %s" % (update.text, "needs the parameter " + missing[0] if missing else
                                              "has no parameter " + unknown[0]))
        if tolerance and not every:
            every = 100
        check_whole("steps", steps)
        check_whole("every", every)
        self.cells = int(array.size)
        self.shape, self.dtype, self.steps, self.every = array.shape, array.dtype, int(steps), int(every)
        self._library, self._compiled = _heard_library(), compiled.load(array.ndim)
        self._parameters = numpy.array([float(parameters[name]) for name in compiled.parameters], compiled.real)
        size = (ctypes.c_int64 * 3)(*(list(array.shape[::-1]) + [1, 1])[:3])
        self._texts = _text(boundary), _text(partition)  # kept, since the library reads them until the run ends
        self._try(self._compiled.hetgrid_start, size, _address(array), ctypes.c_int64(self.steps), _address(self._parameters),
                  ctypes.c_int64(self._parameters.nbytes), *self._texts, ctypes.c_double(rebalance),
                  ctypes.c_double(tolerance), ctypes.c_int64(self.every), ctypes.byref(self._run))

    def _try(self, function, *words):
        status = function(*words)
        said, _warned[:] = list(_warned), []
        for text in said:
            warnings.warn(text, ProgramWarning, stacklevel())
        if status:
            raise Error(self._library.hg_message().decode(errors="replace"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the run; values are read before."""
        run, self._run = self._run, ctypes.c_void_p()
        if run:
            self._library.hg_free(run)

    __del__ = close

    @property
    def done(self):
        """Steps done."""
        return self._library.hg_steps_done(self._run)

    @property
    def finished(self):
        """Whether all steps are done or the tolerance is met."""
        return bool(self._library.hg_is_finished(self._run))

    @property
    def change(self):
        """The largest change of a value in the step measured last; NaN before the first."""
        return self._library.hg_reduced(self._run)

    @property
    def rank(self):
        return self._library.hg_rank(self._run)

    def advance(self, steps=1, until=None, progress=None):
        """Computes so many steps, or fewer if the run ends or until(run), which is asked after each multiple of `every`,
        is true. Ctrl-C (KeyboardInterrupt), and what `until` and `progress` raise, come between steps; the run can go
        on."""
        check_whole("steps", steps)
        progress = _bar if progress is True else progress
        alone, end = self._library.hg_ranks(self._run) == 1, min(self.done + int(steps), self.steps)
        count = max(1, FIRST // self.cells)
        while self.done < end and not self.finished:
            part, begin = min(count, end - self.done), time.monotonic()
            if self.every:
                part = min(part, self.every - self.done % self.every)
            self._try(self._library.hg_advance, self._run, ctypes.c_int64(part))
            seconds = time.monotonic() - begin
            if not alone or (part == count and seconds < LOOK):  # all ranks must look after the same steps
                count = min(2 * count, 1024 if not alone else end)
            elif seconds > 4 * LOOK and count > 1:
                count //= 2
            if progress:
                progress(self.done, end)
            if until and self.done % (self.every or 1) == 0 and until(self):
                break
        return self

    def values(self):
        """The values after the steps done, on rank 0; None on others."""
        numpy = need_numpy()
        out = numpy.empty(self.shape, self.dtype) if self.rank == 0 else None
        self._try(self._library.hg_values_gather, self._run, None if out is None else _address(out))
        return out
