# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rules of tools/mutation_rules.py for declarations and statements: the walk through a translation unit."""
import pathlib
import re

from mutation_rules import SKIPPED, Expressions, Source, neutral, span, squeeze

HEADERS = ("include/weft/detail/", "include/weft/fork_join.hpp", "include/weft/parallel.hpp",
           "include/weft/task_group.hpp", "include/weft/scheduler.hpp", "include/weft/batch.hpp",
           "include/weft/task.hpp", "src/")
FUNCTIONS = {"CXX_METHOD", "FUNCTION_DECL", "CONSTRUCTOR", "DESTRUCTOR", "FUNCTION_TEMPLATE"}


class Finder(Expressions):
    """Collects the mutants of one translation unit in one configuration."""

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
            if self.refuses(child):
                return
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

    def refuses(self, node):
        """A static_assert(sizeof(T) == 0, ...): what it stands in does not compile, whoever uses it."""
        begin, end = span(node)
        return re.search(r"static_assert\(\s*sizeof\(\w+\) == 0", self.here.text[begin:end]) is not None

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
                by_value = node.type.kind.name != "LVALUEREFERENCE" and child.kind.name != "CALL_EXPR"
                if by_value or "(" in self.text(child):
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
            body = span(one)[0] >= high and (kind != "FOR_STMT" or one is children[-1])
            if body or (kind == "DO_STMT" and one is children[0]):
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
