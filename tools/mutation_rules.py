# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rules by which tools/mutations.py proposes small errors, by their names in a mutant's key: `negate`, `true`,
`false` (a condition), `first`, `second`, `other` (an operand of && || & | alone; the other operator), `boundary` (<
<=), `operator` (+ -, * /, << >>), `step` (++ --, before or after), `more`, `less`, `none` (an integer: by one,
zero), `flip` (a bool), `neighbour+`, `neighbour-` (the constant that is declared next to it), `variable` (another
variable of that type), `exchange` (two arguments), `drop` (a statement), `swap` (two statements), `return` (early),
`answer` (another return value), `last` (a loop without its last turn). Memory orders are the business of
tools/mutants.
"""
import collections
import dataclasses
import pathlib
import re

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "^": "|", "<<": ">>", ">>": "<<"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
COMPOUND = {"+=": "-=", "-=": "+=", "<<=": ">>=", ">>=": "<<=", "|=": "&=", "&=": "|="}
INTEGERS = {"UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG"}
# Words of bits, which nobody counts with: off by one is no error that one makes.
BITS = re.compile(r"\b(seen|clear|set|from|to|idle|idle_|roster|roster_|word|role|chances|before|self|held|cleared|"
                  r"power|parked|chosen|bit|cores|change|closing|waking|mine|joiners_|mode|offered|offer_of|how)\b")
BY_REFERENCE = {"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"}  # arguments that are not converted
SKIPPED = {"STATIC_ASSERT", "ENUM_DECL", "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "TYPE_ALIAS_DECL",
           "USING_DECLARATION", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER",
           "TEMPLATE_TEMPLATE_PARAMETER", "UNEXPOSED_ATTR",
           "ALIGNED_ATTR"}


@dataclasses.dataclass
class Mutant:
    key: str
    path: str
    line: int
    function: str
    rule: str
    begin: int
    end: int
    shape: str  # expression, drop, insert
    text: str  # what stands there instead
    original: str
    builds: set
    after: tuple = ()  # of a swap: where the statement comes later
    number: int = 0

    def title(self):
        instead = {"drop": "later" if self.after else "(nothing)", "insert": f"{self.text} first"}
        instead = instead.get(self.shape, squeeze(self.text))
        return f"{self.key}  =>  {instead}"


def squeeze(text):
    return " ".join(text.split())


class Source:
    """The text of one file without its comments, all else where it was."""

    def __init__(self, path):
        self.path = path
        raw = pathlib.Path(path).read_text()
        if not raw.isascii():
            raise SystemExit(f"weft: {path} is not ASCII: offsets of libclang are bytes")
        self.text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), raw)

    def closing(self, opening):
        """The index of the parenthesis that closes the one there."""
        depth = 0
        for index in range(opening, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[index], 0)
            if depth == 0:
                return index
        raise ValueError(f"{self.path}: a parenthesis is open")

    def semicolon(self, end):
        """The index behind the semicolon that follows, or -1."""
        match = re.compile(r"\s*;").match(self.text, end)
        return match.end() if match else -1


def span(node):
    return node.extent.start.offset, node.extent.end.offset


def bare(node):
    """Without the conversions and parentheses around it."""
    while node.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        children = list(node.get_children())
        if len(children) != 1:
            break
        node = children[0]
    return node


def kind_of_type(node):
    return node.type.get_canonical().spelling.replace("const ", "")


def neutral(kind):
    """A value of that type that says nothing."""
    name = kind.kind.name
    if name == "POINTER":
        return "nullptr"
    if name == "BOOL":
        return "false"
    if name in INTEGERS:
        return "0"
    if kind.spelling.endswith("::Status"):
        return "Status::ok"
    return ""


class Expressions:
    """The mutants of expressions, in one translation unit and one configuration."""

    def __init__(self, build, sources, found):
        self.build = build
        self.sources = sources
        self.found = found  # {(path, begin, end, shape, text): Mutant}
        self.left_out = collections.Counter()

    def text(self, node):
        begin, end = span(node)
        return self.here.text[begin:end]

    def add(self, rule, begin, end, text, shape="expression", after=()):
        original = self.here.text[begin:end]
        if shape != "insert" and not after and (not original.strip() or squeeze(original) == squeeze(text)):
            return
        if "#" in original or "#" in text:
            return  # spans a condition of the preprocessor
        place = (self.here.path, begin, end, shape, squeeze(text), after)
        if place in self.found:
            self.found[place].builds.add(self.build)
            return
        line = self.here.text.count("\n", 0, begin) + 1
        shown = squeeze(original if shape != "insert" else self.here.text[begin : begin + 200].strip().split(";")[0])
        self.found[place] = Mutant(shown, self.here.path, line, self.function, rule, begin, end, shape, text, original,
                                   {self.build}, after)

    def value(self, node):
        """An integer or bool that is computed, not written down."""
        begin, end = span(node)
        inner = bare(node)
        if inner.kind.name in ("INTEGER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CXX_NULL_PTR_LITERAL_EXPR", "LAMBDA_EXPR"):
            return
        text, kind = self.here.text[begin:end], inner.type.get_canonical().kind.name
        if kind == "BOOL":
            self.add("flip", begin, end, f"!({text})")
        elif kind in INTEGERS and not self.is_constant(inner) and not BITS.search(text):
            self.add("more", begin, end, f"(({text}) + 1)")

    def expression(self, node, statement=False, condition=False):
        kind = node.kind.name
        begin, end = span(node)
        if kind in SKIPPED or end <= begin:
            return
        if kind == "LAMBDA_EXPR":
            self.closure(node)
            return
        children = [child for child in node.get_children() if span(child)[1] > span(child)[0]]
        if kind == "BINARY_OPERATOR" and len(children) == 2:
            self.binary(node, *children, condition)
            if self.here.text[span(children[0])[1] : span(children[1])[0]].strip() == ",":
                return
        elif kind == "COMPOUND_ASSIGNMENT_OPERATOR" and len(children) == 2:
            self.compound(*children)
        elif kind == "UNARY_OPERATOR" and len(children) == 1:
            self.unary(node, children[0], statement, condition)
        elif kind == "INTEGER_LITERAL":
            self.integer(begin, end)
        elif kind == "CXX_BOOL_LITERAL_EXPR":
            word = self.text(node)
            self.add("flip", begin, end, {"true": "false", "false": "true"}.get(word, word))
        elif kind == "CONDITIONAL_OPERATOR":
            self.condition(children[0], kind)
            for child in children:
                self.expression(child, condition=child is children[0])
            return
        elif kind == "CALL_EXPR" and node.spelling == "__builtin_frame_address":
            return  # it takes a constant
        elif kind == "CALL_EXPR":
            self.call(node)
        elif kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
            self.constant(node)
        alone = len(children) == 1 and span(children[0]) == (begin, end)
        for child in children:
            self.expression(child, statement and alone, condition and alone)

    def closure(self, node):
        answer, constructor, known = self.answer, self.constructor, self.variables
        for child in node.get_children():
            if child.kind.name == "PARM_DECL":
                self.variables = [*self.variables, child]
            if child.kind.name == "COMPOUND_STMT":
                self.answer, self.constructor = child.type.get_canonical(), False
                self.block(child)
        self.answer, self.constructor, self.variables = answer, constructor, known

    def binary(self, node, left, right, condition):
        (begin, end), a, b = span(node), self.text(left), self.text(right)
        operator = self.here.text[span(left)[1] : span(right)[0]].strip()
        pointers = [one.type.get_canonical().kind.name == "POINTER" for one in (left, right)]
        if operator in ("&&", "||"):
            # Both sides of the switch have one type, and an object that only converts to bool has another. (In a
            # template its type is not known.)
            a, b = (f"!!({text})" if one.type.get_canonical().kind.name in ("RECORD", "UNEXPOSED") else text
                    for one, text in ((left, a), (right, b)))
            self.add("first", begin, end, a)
            self.add("second", begin, end, b)
            self.add("other", begin, end, f"({a}) {'||' if operator == '&&' else '&&'} ({b})")
        elif operator in ("&", "|"):
            self.add("first", begin, end, a)
            self.add("second", begin, end, b)
            self.add("other", begin, end, f"{a} {'|' if operator == '&' else '&'} {b}")
        elif operator in OPPOSITE:
            if not condition:
                self.add("negate", begin, end, f"{a} {OPPOSITE[operator]} {b}")
            if operator in BOUNDARY:
                self.add("boundary", begin, end, f"{a} {BOUNDARY[operator]} {b}")
        elif operator in OTHER and not (all(pointers) and operator == "-"):
            self.add("operator", begin, end, f"{a} {OTHER[operator]} {b}")
        elif operator == ",":
            self.expression(left, statement=True)
            self.expression(right, statement=True)
        elif operator == "=":
            if right.kind.name != "LAMBDA_EXPR":
                self.value(right)

    def compound(self, left, right):
        operator = self.here.text[span(left)[1] : span(right)[0]].strip()
        if operator in COMPOUND:
            self.add("operator", span(left)[0], span(right)[1],
                     f"{self.text(left)} {COMPOUND[operator]} {self.text(right)}")

    def unary(self, node, operand, statement, condition):
        (begin, end), inner = span(node), self.text(operand)
        before = self.here.text[begin : span(operand)[0]].strip()
        after = self.here.text[span(operand)[1] : end].strip()
        if before in ("~", "-") or before == "!" and not condition:
            self.add("first", begin, end, inner)
        elif "++" in (before, after) or "--" in (before, after):
            flipped = {"++": "--", "--": "++", "": ""}
            self.add("step", begin, end, flipped[before] + inner + flipped[after])
            if not statement:
                self.add("step", begin, end, after + inner + before)

    def integer(self, begin, end):
        text = self.here.text[begin:end]
        if text == "WEFT_CHECKS":
            return  # 0 or 1, and never read but as a condition
        if "(" in text:
            return  # a macro that is called, with a number somewhere in it
        self.add("more", begin, end, f"({text} + 1)")
        value = int(re.sub(r"[uUlL']+$", "", text), 0) if re.match(r"\d", text) else 2
        if value > 0:
            self.add("less", begin, end, f"({text} - 1)")
        if value > 1:
            self.add("none", begin, end, "0")

    def call(self, node):
        given = [one for one in node.get_arguments() if one is not None and span(one)[1] > span(one)[0]]
        given = [one for one in given if kind_of_type(one) != "weft::Order" and self.inside(one, node)]
        for one in given:
            if one.kind.name not in BY_REFERENCE:
                self.value(one)
                self.another(one)
        for one, two in zip(given, given[1:]):
            same = kind_of_type(one) == kind_of_type(two) != "" and "dependent" not in kind_of_type(one)
            same = same and (one.kind.name in BY_REFERENCE) == (two.kind.name in BY_REFERENCE)
            if same and squeeze(self.text(one)) != squeeze(self.text(two)):
                between = self.here.text[span(one)[1] : span(two)[0]]
                if between.strip() == "," and "(" in self.here.text[span(node)[0] : span(one)[0]]:
                    # As an expression: the whole call with its arguments exchanged.
                    begin, end = span(node)
                    text = self.here.text
                    self.add("exchange", begin, end, text[begin : span(one)[0]] + self.text(two) + between
                             + self.text(one) + text[span(two)[1] : end])

    def inside(self, one, node):
        return span(node)[0] <= span(one)[0] and span(one)[1] <= span(node)[1] and span(one) != span(node)

    def another(self, node):
        """In place of a variable that is handed on: the one of the same type that was declared last."""
        used = bare(node).referenced if bare(node).kind.name == "DECL_REF_EXPR" else None
        if used is None or used.kind.name not in ("VAR_DECL", "PARM_DECL"):
            return
        wanted = used.type.get_canonical().spelling.replace("const", "").replace("&", "").strip()
        for other in reversed(self.variables):
            same = other.type.get_canonical().spelling.replace("const", "").replace("&", "").strip() == wanted
            if same and other.spelling != used.spelling and other.spelling and "auto" not in wanted:
                self.add("variable", *span(node), other.spelling)
                return

    @staticmethod
    def is_constant(node):
        """It names an enumerator or a constant of a class."""
        declared = node.referenced if node.kind.name in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
        if declared is None or "weft::Order" in declared.type.spelling:
            return False
        parent = declared.semantic_parent
        in_class = parent is not None and parent.kind.name in ("CLASS_DECL", "STRUCT_DECL")
        constant = declared.kind.name == "VAR_DECL" and declared.type.is_const_qualified() and in_class
        return declared.kind.name == "ENUM_CONSTANT_DECL" or constant

    def constant(self, node):
        if not self.is_constant(node):
            return
        declared = node.referenced
        near = [one for one in declared.semantic_parent.get_children() if one.kind == declared.kind
                and one.type.spelling == declared.type.spelling]
        names = [one.spelling for one in near]
        if declared.spelling not in names or len(names) < 2:
            return
        text = self.text(node)
        if not text.endswith(declared.spelling):
            return
        place = names.index(declared.spelling)
        for rule, name in (("neighbour+", names[(place + 1) % len(names)]), ("neighbour-", names[place - 1])):
            self.add(rule, *span(node), text[: -len(declared.spelling)] + name)
