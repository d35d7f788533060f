# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rules by which tools/mutations.py proposes small errors, by their names in a mutant's key: `negate`, `true`, `false`
(a condition), `first`, `second`, `other` (an operand of && || & | alone; the other operator), `boundary` (< <=),
`operator` (+ -, * /, << >>), `step` (++ --, before or after), `more`, `less`, `none` (an integer: by one, zero), `flip`
(a bool), `neighbour+`, `neighbour-` (the constant that is declared next to it), `variable` (another variable of that
type), `exchange` (two arguments), `drop` (a statement), `swap` (two statements), `return` (early), `answer` (another
return value), `last` (a loop without its last turn). Memory orders are the business of tools/mutants.
"""
import collections
import dataclasses
import pathlib
import re

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
HEADERS = ("include/weft/detail/", "include/weft/fork_join.hpp", "include/weft/scheduler.hpp", "include/weft/batch.hpp",
           "include/weft/task.hpp", "src/")
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "^": "|", "<<": ">>", ">>": "<<"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
COMPOUND = {"+=": "-=", "-=": "+=", "<<=": ">>=", ">>=": "<<=", "|=": "&=", "&=": "|="}
INTEGERS = {"UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG"}
FUNCTIONS = {"CXX_METHOD", "FUNCTION_DECL", "CONSTRUCTOR", "DESTRUCTOR", "FUNCTION_TEMPLATE"}
# Words of bits, which nobody counts with: off by one is no error that one makes.
BITS = re.compile(r"\b(seen|clear|set|from|to|idle|idle_|roster|roster_|word|role|chances|before|self|held|cleared|power|"
                  r"parked|chosen|bit|cores|change|closing|waking|mine|joiners_|mode|offered|offer_of|how)\b")
BY_REFERENCE = {"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"}  # arguments that are not converted
SKIPPED = {"STATIC_ASSERT", "ENUM_DECL", "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "TYPE_ALIAS_DECL", "USING_DECLARATION",
           "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER", "UNEXPOSED_ATTR",
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


class Finder:
    """Collects the mutants of one translation unit in one configuration."""

    def __init__(self, build, sources, found):
        self.build = build
        self.sources = sources
        self.found = found  # {(path, begin, end, shape, text): Mutant}
        self.left_out = collections.Counter()

    # ---- Where we are

    def source(self, node):
        file = node.location.file
        if file is None:
            return None
        path = pathlib.Path(file.name).as_posix()
        if not path.startswith(HEADERS) or (self.only and path != self.only):
            return None
        if path not in self.sources:
            self.sources[path] = Source(path)
        return self.sources[path]

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

    # ---- The walk

    def unit(self, root, headers):
        """The file itself; with `headers`: what it includes, too."""
        self.only = "" if headers else pathlib.Path(root.spelling).as_posix()
        for node in root.get_children():
            self.here = self.source(node)
            if self.here is not None:
                self.declaration(node, "")

    def declaration(self, node, scope):
        kind = node.kind.name
        if kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
            for child in node.get_children():
                inside = self.source(child)
                if inside is not None:
                    self.here = inside
                    self.declaration(child, scope)
        elif kind in ("CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"):
            for child in node.get_children():
                self.declaration(child, node.spelling)
        elif kind in FUNCTIONS:
            parent = node.semantic_parent.spelling if node.semantic_parent else ""
            in_class = node.semantic_parent is not None and "NAMESPACE" not in node.semantic_parent.kind.name
            name = node.spelling.split("<")[0]
            self.function = f"{parent}::{name}" if in_class and parent else name
            self.answer = node.result_type.get_canonical()
            self.constructor = kind in ("CONSTRUCTOR", "DESTRUCTOR")
            self.body(node)
        elif kind == "FIELD_DECL":
            self.function = f"{scope}::{node.spelling}"
            self.variables = []
            self.expressions(node)
        elif kind == "VAR_DECL":
            self.left_out["constants and static data"] += 1

    def body(self, node):
        self.variables = []
        for child in node.get_children():
            kind = child.kind.name
            if kind == "PARM_DECL":
                self.variables.append(child)
            elif kind == "COMPOUND_STMT":
                self.block(child, True)
            elif child.kind.is_expression():
                self.expression(child)  # an initialiser of a constructor

    def expressions(self, node):
        for child in node.get_children():
            if child.kind.name not in SKIPPED and (child.kind.is_expression()):
                self.expression(child)

    # ---- Statements

    def block(self, node, whole=False):
        known = list(self.variables)
        children = [child for child in node.get_children()]
        void = self.answer.kind.name == "VOID" or self.constructor
        for index, child in enumerate(children):
            begin, end = span(child)
            if void and (index or whole) and child.kind.name not in ("RETURN_STMT", "CXX_TRY_STMT"):
                self.add("return", begin, begin, "return;", "insert")
            if index + 1 < len(children):
                self.swap(child, children[index + 1])
            self.statement(child, index + 1 == len(children) and whole)
        if whole and not void and children and children[0].kind.name != "RETURN_STMT":
            value = neutral(self.answer)
            if value:
                self.add("return", span(children[0])[0], span(children[0])[0], f"return {value};", "insert")
        self.variables = known

    def swap(self, one, next_one):
        if not (one.kind.is_expression() and next_one.kind.is_expression()):
            return
        begin, end = span(one)[0], self.here.semicolon(span(one)[1])
        after = self.here.semicolon(span(next_one)[1])
        if end < 0 or after < 0 or "#" in self.here.text[begin:after]:
            return
        if squeeze(self.here.text[begin:end]) != squeeze(self.here.text[span(next_one)[0] : after]):
            self.add("swap", begin, end, self.here.text[begin:end], "drop", (after,))

    def statement(self, node, last=False):
        kind = node.kind.name
        if kind == "COMPOUND_STMT":
            self.block(node)
        elif kind in ("IF_STMT", "WHILE_STMT", "FOR_STMT", "DO_STMT"):
            self.branching(node)
        elif kind == "RETURN_STMT":
            self.returning(node, last)
        elif kind in ("BREAK_STMT", "CONTINUE_STMT"):
            self.drop(node)
        elif kind == "DECL_STMT":
            for child in node.get_children():
                if child.kind.name == "VAR_DECL":
                    self.variable(child)
        elif node.kind.is_expression():
            self.drop(node)
            self.expression(node, statement=True)
        elif kind not in ("NULL_STMT",):
            self.left_out[f"statements of kind {kind}"] += 1

    def drop(self, node):
        begin, end = span(node)[0], self.here.semicolon(span(node)[1])
        if end > 0:
            self.add("drop", begin, end, "", "drop")
        else:
            self.left_out["statements made by macros"] += 1

    def variable(self, node):
        begin, end = span(node)
        declared = self.here.text[begin:end]
        if not declared.startswith("constexpr"):
            for child in node.get_children():
                if child.kind.name in SKIPPED or not child.kind.is_expression():
                    continue
                if node.type.kind.name != "LVALUEREFERENCE" and child.kind.name != "CALL_EXPR" or "(" in self.text(child):
                    self.value(child)
                self.expression(child)
        self.variables.append(node)

    def returning(self, node, last):
        if not last:
            end = self.here.semicolon(span(node)[1])
            if end > 0:
                self.add("drop", span(node)[0], end, "", "drop")
        for child in node.get_children():
            begin, end = span(child)
            kind = child.type.get_canonical().kind.name
            value = neutral(child.type.get_canonical())
            if kind == "BOOL":
                self.add("true", begin, end, "true")
                self.add("false", begin, end, "false")
            elif value and value != squeeze(self.text(child)):
                self.add("answer", begin, end, value)
            self.value(child)
            self.expression(child)

    def branching(self, node):
        """if, while, for, do: the condition as a whole, then what is in it."""
        kind, (begin, end) = node.kind.name, span(node)
        text = self.here.text
        children = list(node.get_children())
        known = list(self.variables)
        if text.startswith("if constexpr", begin):
            children = children[1:]
            low = high = -1
        elif kind == "DO_STMT":
            low, high = span(children[-1])
        else:
            opening = text.index("(", begin)
            low, high = opening + 1, self.here.closing(opening)
            if kind == "FOR_STMT":
                first = text.index(";", low)
                step = text.index(";", first + 1)
                head = [one for one in children if span(one)[0] < high]
                for one in head:
                    if span(one)[0] > step:
                        self.expression(one, statement=True)
                        self.add("drop", *span(one), "static_cast<void>(0)", "discard")
                    elif span(one)[0] < first:
                        self.statement(one)
                low, high = first + 1, step
        inside = [one for one in children if low <= span(one)[0] < high]
        declares = any(one.kind.name in ("VAR_DECL", "DECL_STMT") for one in inside)
        if inside and not declares:
            low, high = span(inside[0])[0], span(inside[0])[1]
            self.condition(inside[0], kind)
            if kind == "FOR_STMT":
                self.last_turn(inside[0], text[begin:end])
            self.expression(inside[0], condition=True)
        elif declares:
            for one in inside:
                if one.kind.name == "VAR_DECL":
                    self.variable(one)
        for one in children:
            if span(one)[0] >= high and (kind != "FOR_STMT" or one is children[-1]) or kind == "DO_STMT" and one is children[0]:
                self.statement(one)
        self.variables = known

    def condition(self, node, kind):
        begin, end = span(node)
        text = self.here.text[begin:end]
        self.add("negate", begin, end, f"!({text})")
        if kind == "IF_STMT" or kind == "CONDITIONAL_OPERATOR":
            self.add("true", begin, end, "true")
        self.add("false", begin, end, "false")

    def last_turn(self, node, loop):
        match = re.fullmatch(r"(\w+) (!=|<) ([^&|?]+)", squeeze(self.text(node)))
        if match:
            name, operator, bound = match.groups()
            head = loop.split("{")[0]
            sign = "-" if f"--{name}" in head else "+" if f"++{name}" in head else ""
            if sign:
                self.add("last", *span(node), f"({name} {operator} {bound} && {name} {sign} 1 {operator} {bound})")

    # ---- Expressions

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
        in_class = declared.semantic_parent is not None and declared.semantic_parent.kind.name in ("CLASS_DECL", "STRUCT_DECL")
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
