# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbered rules of the documents in docs/, and who cites them: "DESIGN 6.4", or "(6.4)" in the document itself."""
import pathlib
import re

RULE = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.MULTILINE)
CHAPTER = re.compile(r"^## (\d+)\. ", re.MULTILINE)
NUMBER = re.compile(r"\d+\.\d+")
NUMBERS = r"\d+\.\d+(?:(?:, | to | and )\d+\.\d+)*"
CITED = re.compile(rf"\b([A-Z][A-Z_]+)(?:\.md)?(?:\]\([^)]*\))?,?\s+({NUMBERS})")  # DESIGN 6.4, 6.5
OWN = re.compile(rf"(?:\(|\bas in |: )({NUMBERS})(?=[),;.]|$)", re.MULTILINE)  # in the document of the rule
CHAPTER_CITED = re.compile(r"(?:\b([A-Z][A-Z_]+)(?:\.md)?(?:\]\([^)]*\))?,?\s+)?\bchapters? (\d+)\b")
CHAPTER_OF = re.compile(r"\bchapter (\d+) of ([A-Z][A-Z_]+)")


def documents(folder="docs"):
    """The documents with rules, {DESIGN: its text}."""
    texts = {path.stem: path.read_text() for path in sorted(pathlib.Path(folder).glob("*.md"))}
    return {name: text for name, text in texts.items() if RULE.search(text)}


def rules(texts):
    """{DESIGN: {6.4 ...}}"""
    return {name: set(RULE.findall(text)) for name, text in texts.items()}


def cited_twice(name, text):
    """Numbers that a document gives to two rules."""
    found = RULE.findall(text)
    return [f"{name}: two rules {number}" for number in sorted({one for one in found if found.count(one) > 1})]


def dead_citations(place, text, texts):
    """What this text cites and no document has. `place` is the name of the file without its suffix."""
    known, faults = rules(texts), []
    for name, numbers in CITED.findall(text):
        missing = [number for number in NUMBER.findall(numbers) if number not in known.get(name, (number,))]
        faults += [f"{place}: docs/{name}.md has no rule {number}" for number in missing]
    if place in texts:
        # What stands in tables is measured, usually.
        prose = re.sub(r"^\|.*$", "", CITED.sub("", text), flags=re.MULTILINE)
        numbers = [number for some in OWN.findall(prose) for number in NUMBER.findall(some)]
        faults += [f"{place}: no rule {number} here" for number in numbers if number not in known[place]]
    chapters = {name: set(CHAPTER.findall(one)) for name, one in texts.items()}
    cited = [(name, number) for number, name in CHAPTER_OF.findall(text)]
    cited += CHAPTER_CITED.findall(CHAPTER_OF.sub("", text))
    for name, number in cited:
        name = name or place
        if number not in chapters.get(name, (number,)):
            faults.append(f"{place}: docs/{name}.md has no chapter {number}")
    return faults


SAMPLE = {
    "DESIGN": "## 1. One\n\n**1.1** Said (1.2).\n\n**1.2** Said (TIMERS 2.1).\n",
    "TIMERS": "## 2. Two\n\n**2.1** So.\n",
}
# What must be found in a text at that place; nothing without a part.
SAMPLES = (
    ("src", "DESIGN 1.1, 1.2; [TIMERS.md](TIMERS.md) 2.1; C 11.5", ""),
    ("src", "DESIGN, chapter 1; chapter 2 of TIMERS; chapter 9", ""),
    ("src", "// docs/DESIGN.md, 1.3", "DESIGN.md has no rule 1.3"),
    ("src", "DESIGN 1.1, 1.7", "DESIGN.md has no rule 1.7"),
    ("src", "DESIGN 1.1 to 1.7", "DESIGN.md has no rule 1.7"),
    ("src", "[DESIGN.md](docs/DESIGN.md), chapter 3", "DESIGN.md has no chapter 3"),
    ("src", "chapter 3 of TIMERS", "TIMERS.md has no chapter 3"),
    ("TIMERS", "holds (1.1)", "no rule 1.1 here"),
    ("TIMERS", "holds (2.1), for 1.1 ns", ""),
    ("TIMERS", "as chapter 1 says", "TIMERS.md has no chapter 1"),
)


def misjudged():
    """What these rules say wrongly about the samples."""
    said = [(sample, "\n".join(dead_citations(*sample[:2], SAMPLE))) for sample in SAMPLES]
    wrong = [f"{text!r} says {s!r}" for (_, text, expected), s in said if not (expected in s if expected else not s)]
    twice = cited_twice("DESIGN", SAMPLE["DESIGN"] + "**1.2** Again.\n")
    return wrong + ([] if len(twice) == 1 and not cited_twice("DESIGN", SAMPLE["DESIGN"]) else [f"twice: {twice}"])
