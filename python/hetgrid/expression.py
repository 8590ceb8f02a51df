# SPDX-License-Identifier: MIT
"""Translates an expression in Python's syntax to C for HG_UPDATE (hetgrid.Update describes the language)."""
import ast
import math

FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "floor", "ceil")
CONSTANTS = {"pi": math.pi, "e": math.e}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class _Translator:
    """One translation: `text` is the C expression, `dims`, `radius` and `parameters` are its needs. `whole`: values are
    whole numbers, and quotients are real; `single`: everything is computed in float."""

    def __init__(self, source, whole, single):
        self.source, self.whole, self.single = source, whole, single
        self.real = "float" if single else "double"
        self.dims, self.radius, self.parameters = None, 1, []
        try:
            tree = ast.parse(source.strip(), mode="eval").body
        except (SyntaxError, ValueError) as error:
            raise ValueError("update %r: %s" % (source, error)) from None
        self._find_dims(tree)
        self.text = self._of(tree)
        if self.whole and not self._is_whole(tree):
            self.text = "hetgrid_whole(%s)" % self.text

    def _refuse(self, node, why):
        raise ValueError("update %r: column %d: %s" % (self.source, node.col_offset + 1, why))

    @staticmethod
    def _is_value(node):
        return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "u"

    def _is_whole(self, node):
        """Whether an expression's value is a whole number in Python; then it is one in C, too."""
        if not self.whole:
            return False
        if isinstance(node, ast.Name):
            return node.id not in CONSTANTS and node.id not in self.parameters
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Not) or self._is_whole(node.operand)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Pow):
                return self._exponent(node) is not None and self._is_whole(node.left)
            return not isinstance(node.op, ast.Div) and self._is_whole(node.left) and self._is_whole(node.right)
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None)
            return name in ("abs", "min", "max", "where") and all(map(self._is_whole, node.args[name == "where":]))
        if isinstance(node, ast.IfExp):
            return self._is_whole(node.body) and self._is_whole(node.orelse)
        if isinstance(node, ast.BoolOp):
            return all(map(self._is_whole, node.values))
        return not isinstance(getattr(node, "value", None), float)

    def _kind(self, node):
        return "whole" if self._is_whole(node) else "real"

    def _offset(self, node):
        part = node.slice.value if type(node.slice).__name__ == "Index" else node.slice  # before Python 3.9
        words = part.elts if isinstance(part, ast.Tuple) else [part]
        try:
            offset = [ast.literal_eval(word) for word in words]
        except ValueError:
            offset = [None]
        if not all(type(i) is int for i in offset):
            self._refuse(node, "an offset of u is not a whole number that is written out")
        return offset

    def _find_dims(self, tree):
        for node in ast.walk(tree):
            if not self._is_value(node):
                continue
            offset = self._offset(node)
            self.dims = self.dims or len(offset)
            if len(offset) != self.dims or self.dims > 3:
                wanted = "1 to 3" if len(offset) > 3 else self.dims
                self._refuse(node, "u has %d offsets, must have %s" % (len(offset), wanted))
            self.radius = max(self.radius, *(abs(i) for i in offset))
        if self.radius > 16:
            raise ValueError("update %r: reaches %d cells, must be at most 16" % (self.source, self.radius))

    def _of(self, node):
        translate = getattr(self, "_" + type(node).__name__, None)
        if translate is None:
            self._refuse(node, "%s has no place in an update" % type(node).__name__)
        return translate(node)

    def _Subscript(self, node):
        if not self._is_value(node):
            self._refuse(node, "only u has neighbours")
        return self._read("hg_at(u, %s)" % ", ".join(str(i) for i in reversed(self._offset(node))))

    def _read(self, value):
        """A value; whole numbers are computed in int64_t, whatever their type in the array."""
        return "((int64_t)%s)" % value if self.whole else value

    def _number(self, value):
        if not math.isfinite(value):
            return "((%s)%s)" % (self.real, "NAN" if value != value else "INFINITY" if value > 0 else "(-INFINITY)")
        return repr(float(value)) + ("f" if self.single else "")

    def _Constant(self, node):
        if isinstance(node.value, bool) or (self.whole and isinstance(node.value, int)):
            if not -2 ** 63 <= node.value < 2 ** 63:
                self._refuse(node, "%d, must be below 2**63" % node.value)
            return "INT64_C(%d)" % node.value
        if not isinstance(node.value, (int, float)):
            self._refuse(node, "%r is not a real number" % (node.value,))
        return self._number(node.value)

    _Num = _NameConstant = _Constant

    def _Name(self, node):
        name = node.id
        if name == "u":
            return self._read("hg_value(u)")
        if name in CONSTANTS:
            return self._number(CONSTANTS[name])
        if name in ("x", "y", "z", "step"):
            return "((%s)hg_%s(u))" % ("int64_t" if self.whole else self.real, name)
        if name in ("nx", "ny", "nz"):
            return "((%s)hg_extent(u, %d))" % ("int64_t" if self.whole else self.real, "xyz".index(name[1]))
        if name not in self.parameters:
            self.parameters.append(name)
        return "HETGRID_PARAMETER(%d)" % self.parameters.index(name)

    def _UnaryOp(self, node):
        signs = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!"}
        if type(node.op) not in signs:
            self._refuse(node, "~ has no place in an update")
        return "(%s%s)" % (signs[type(node.op)], self._of(node.operand))

    @staticmethod
    def _exponent(node):
        """The exponent of a power that can be computed by products; None for others."""
        power = getattr(node.right, "value", None)
        return int(power) if isinstance(power, int) and power >= 0 else None

    def _power(self, node, left):
        power = self._exponent(node)
        if power is not None and 1 <= power <= 4:
            return "(%s)" % " * ".join([left] * power)
        if self._is_whole(node):
            if power >= 2 ** 63:
                self._refuse(node, "an exponent of whole numbers must be < 2 ** 63")
            return "hetgrid_power(%s, INT64_C(%d))" % (left, power)
        return "pow%s(%s, %s)" % ("f" if self.single else "", left, self._of(node.right))

    def _BinOp(self, node):
        left = self._of(node.left)
        if isinstance(node.op, ast.Pow):
            return self._power(node, left)
        right = self._of(node.right)
        if isinstance(node.op, ast.Div):
            return "((%s)%s / (%s)%s)" % (self.real, left, self.real, right)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            name = "floor_divide" if isinstance(node.op, ast.FloorDiv) else "modulo"
            return "hetgrid_%s_%s(%s, %s)" % (name, self._kind(node), left, right)
        signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
        if type(node.op) not in signs:
            self._refuse(node, "%s has no place in an update" % type(node.op).__name__)
        return "(%s %s %s)" % (left, signs[type(node.op)], right)

    def _Compare(self, node):
        sides = [self._of(side) for side in [node.left] + node.comparators]
        if any(type(op) not in COMPARE for op in node.ops):
            self._refuse(node, "is and in have no place in an update")
        pairs = ["(%s %s %s)" % (a, COMPARE[type(op)], b) for a, op, b in zip(sides, node.ops, sides[1:])]
        return "(%s)" % " && ".join(pairs)

    def _BoolOp(self, node):
        """The value of `and` or `or`: the first operand that decides; for operands of 0 or 1 C gives the same."""
        words, name = [self._of(value) for value in node.values], "and" if isinstance(node.op, ast.And) else "or"
        if all(map(self._is_truth, node.values)):
            return "(%s)" % {"and": " && ", "or": " || "}[name].join(words)
        last = words.pop()
        while words:
            last = "hetgrid_%s_%s(%s, %s)" % (name, self._kind(node), words.pop(), last)
        return last

    def _is_truth(self, node):
        if isinstance(node, ast.BoolOp):
            return all(map(self._is_truth, node.values))
        return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))

    def _IfExp(self, node):
        return "(%s ? %s : %s)" % (self._of(node.test), self._of(node.body), self._of(node.orelse))

    def _Call(self, node):
        name = getattr(node.func, "id", None)
        words = [self._of(word) for word in node.args]
        kind = self._kind(node)
        if node.keywords:
            self._refuse(node, "functions of updates have no keywords")
        if name in ("min", "max") and len(words) >= 2:
            best = words[0]
            for word in words[1:]:
                best = "hetgrid_%s_%s(%s, %s)" % (name, kind, best, word)
            return best
        if name == "where" and len(words) == 3:
            return "(%s ? %s : %s)" % tuple(words)
        if name == "abs" and len(words) == 1:
            if kind == "real":
                return "fabs%s(%s)" % ("f" if self.single else "", words[0])
            return "hetgrid_max_whole(%s, -%s)" % (words[0], words[0])
        if name == "random" and len(words) <= 1:
            return "((%s)hg_random(u, (int64_t)%s))" % (self.real, words[0] if words else "0")
        if name in FUNCTIONS and len(words) == 1:
            return "%s%s(%s)" % (name, "f" if self.single else "", words[0])
        self._refuse(node, "%s is no function of updates with %d arguments; known: %s" %
                     (name or "this", len(words), " ".join(("abs", "min", "max", "where", "random") + FUNCTIONS)))


def translate(source, whole, single):
    """The translation of an expression. Raises ValueError with expression, column and fault."""
    if not isinstance(source, str):
        raise TypeError("an update is a text, not %r" % type(source).__name__)
    try:
        return _Translator(source, whole, single)
    except (RecursionError, MemoryError):
        raise ValueError("update %.40r..: has too many parts within parts" % source) from None
