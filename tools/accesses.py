# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads from C++ sources the places where memory orders matter, with what the comments say about them; the tables of
docs/ORDERING.md; and the names of tests and scenarios. For tools/check_orders, tools/check_promises, tools/mutants."""
import dataclasses
import pathlib
import re

ORDERING = pathlib.Path("docs/ORDERING.md")
ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
# Calls with an order among their arguments, and calls that are a barrier by themselves.
CALL = re.compile(
    r"\b(?:(?:load|store|exchange|compare_exchange|fetch_(?:add|sub|or|and)|(?:__)?atomic_(?!signal_fence)\w+)"
    r"|(?:Port|Words)::(?:fence|unpark|park))"
    r"\s*\("
)
ORDER = re.compile(r"(?:(?:\w+::)*|__ATOMIC_|(?:std::)?memory_order_)(relaxed|acquire|release|acq_rel|seq_cst)", re.I)
TAG = re.compile(r"\[([A-Z][0-9]+)\]")
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'", re.DOTALL)
FUNCTION = re.compile(r"([\w:~]+)\s*\([^{}]*\)[\w\s]*(?::[^:].*)?$", re.DOTALL)
CLASS = re.compile(r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?(\w+)[^()<>]*$")
NOT_A_FUNCTION = {"if", "for", "while", "switch", "catch"}
SECTION_OF_JUSTIFICATIONS = "Weakenings no scenario can tell apart"


@dataclasses.dataclass
class Access:
    """One call."""

    path: pathlib.Path
    line: int  # of the call's name
    call: str  # load, store ... fence, unpark, park
    orders: tuple  # of a compare_exchange: on success, on failure; of a barrier: none
    function: str  # for example Ring::push
    note: str  # the comments that belong to it: on its lines, directly above, or above for all of its paragraph

    @property
    def tags(self):
        return set(TAG.findall(self.note))

    @property
    def place(self):
        return f"{self.path}:{self.line}"

    @property
    def strong(self):
        """It does more than a relaxed access."""
        return self.call == "fence" or any(order != "relaxed" for order in self.orders)

    @property
    def text(self):
        return self.call + (" " + "/".join(self.orders) if self.orders else "")


def split_comments(text):
    """The text with blanks in place of comments and strings; and the comments, line by line."""
    comments = {}

    def blank(match):
        token = match[0]
        if token.startswith("/"):
            first = text.count("\n", 0, match.start()) + 1
            for number, line in enumerate(token.splitlines(), first):
                comments[number] = comments.get(number, "") + line.lstrip("/* ")
        return re.sub(r"[^\n]", " ", token)

    return TOKEN.sub(blank, text), comments


def arguments(code, opening):
    """The arguments of the call whose parenthesis opens there, and the index behind its end."""
    depth, found, start = 0, [], opening + 1
    for index in range(opening, len(code)):
        character = code[index]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and character == ","):
            found.append(code[start:index].strip())
            start = index + 1
        if depth == 0:
            return found, index + 1
    return found, len(code)


def functions(code):
    """For each index at which a scope begins or ends: the function around what follows, as [(index, name)]."""
    scopes, marks, start = [], [(0, "")], 0
    for match in re.finditer(r"[;{}]", code):
        if match[0] == "{":
            head = code[start : match.start()].strip()
            called, named = FUNCTION.search(head), CLASS.search(head)
            if called and called[1] not in NOT_A_FUNCTION:
                scopes.append(("function", called[1]))
            elif named:
                scopes.append(("class", named[1]))
            else:
                scopes.append(("", ""))
        elif match[0] == "}" and scopes:
            scopes.pop()
        start = match.end()
        function = next((index for index, (kind, _) in enumerate(scopes) if kind == "function"), None)
        name = ""
        if function is not None:
            around = next((name for kind, name in reversed(scopes[:function]) if kind == "class"), "")
            name = scopes[function][1]
            if around and "::" not in name:
                name = f"{around}::{name}"
        marks.append((match.end(), name))
    return marks


def note_of(lines, comments, first, last):
    """The comments on the lines first..last, in the block of comments above them, and those further up in the same
    paragraph that say that they are for more than one access: `(both)`, `(all)`, `(all below)`."""

    def only_comment(number):
        return number in comments and lines[number - 1].lstrip().startswith("//")

    said = [comments[number] for number in range(first, last + 1) if number in comments]
    above = first - 1
    while above > 0 and only_comment(above):
        said.insert(0, comments[above])
        above -= 1
    while above > 0 and lines[above - 1].strip():
        if re.search(r"\((?:both|all)\b", comments.get(above, "")):
            said.insert(0, comments[above])
        above -= 1
    return " ".join(said)


def accesses(path, text=None):
    """Every access of one source, in order."""
    text = pathlib.Path(path).read_text() if text is None else text
    lines = text.splitlines()
    code, comments = split_comments(text)
    marks = functions(code)
    found = []
    for match in CALL.finditer(code):
        given, end = arguments(code, match.end() - 1)
        orders = tuple(order[1].lower() for order in map(ORDER.fullmatch, given) if order)
        call = re.search(r"(\w+)\s*\($", match[0])[1]
        defined = code[end:].lstrip().startswith("{") and re.search("(Port|Words)::", match[0])
        if defined or (not orders and not re.search("(Port|Words)::", match[0])):
            continue
        begin = max(code.rfind(character, 0, match.start()) for character in ";{}") + 1
        begin += len(code[begin:]) - len(code[begin:].lstrip())
        first, line, last = (code.count("\n", 0, index) + 1 for index in (begin, match.start(), end - 1))
        function = [name for index, name in marks if index <= match.start()][-1]
        note = note_of(lines, comments, first, last)
        found.append(Access(pathlib.Path(path), line, call, orders, function, note))
    return found


def sources(*rooms, without=()):
    """The C++ sources in these folders."""
    paths = (path for room in rooms for path in pathlib.Path(room).rglob("*") if path.suffix in (".hpp", ".cpp"))
    return sorted(path for path in paths if not path.as_posix().startswith(tuple(without)))


def files_of_scenarios():
    """The model checker's scenarios: {file: names}."""
    return {path: re.findall(r"\bMODEL_SCENARIO\(\s*(\w+)", path.read_text())
            for path in sorted(pathlib.Path("tests/model").glob("*.cpp"))}


def scenarios():
    """Their names."""
    return [name for names in files_of_scenarios().values() for name in names]


def tests_of():
    """The tests that run on boards and on the host, in the arrays at the ends of their files: [(path, name)]."""
    paths = sorted(pathlib.Path("tests").glob("*/*.cpp"))
    return [(path, name) for path in paths for name in re.findall(r"\bTEST\((\w+)\)", path.read_text())]


def tables(text):
    """Every row of the tables in a Markdown text, as [(heading above, cells)]; without the heads of the tables."""

    def rule(line):
        return line.startswith("|") and set(line) <= set("|-: ")

    heading, found, lines = "", [], text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|") and not rule(line) and not rule(following):
            found.append((heading, [cell.strip() for cell in line.strip("|").split("|")]))
    return found


def edges(text):
    """The rows of the edges: {tag: [the names of scenarios and tests, `*` at the end for a prefix]}."""
    rows = [cells for heading, cells in tables(text) if heading != SECTION_OF_JUSTIFICATIONS]
    return {cells[0]: re.findall(r"[\w*]+", cells[-1]) for cells in rows if re.fullmatch(r"[A-Z]\d+", cells[0])}


def matching(pattern, names):
    prefix = pattern[:-1] if pattern.endswith("*") else None
    return [name for name in names if (name == pattern if prefix is None else name.startswith(prefix))]
