// SPDX-License-Identifier: MIT OR Apache-2.0
// Model checker, self-test: execution graphs and the axioms of RC11 (Lahav et al., "Repairing Sequential Consistency in
// C/C++11", PLDI 2017, section 3; release sequences as in C++20).
#include "axiomatic.hpp"

#include <algorithm>

namespace litmus {

namespace {

using weft::Order;

constexpr unsigned most_events = 20;
constexpr unsigned nobody = most_events;

struct Event {
    bool reads;
    bool writes;
    bool fence;
    bool acquires;
    bool releases;
    uint8_t core;  // most_cores: initial
    uint8_t index;
    uint8_t word;
    uint32_t read_value;
    uint32_t written_value;
    uint8_t source;  // what it reads from
};

// A relation between events: row a has bit b set if a is related to b.
struct Relation {
    uint32_t row[most_events] = {};

    void add(unsigned a, unsigned b) { row[a] |= 1u << b; }
    bool has(unsigned a, unsigned b) const { return (row[a] >> b & 1u) != 0; }
    void add(const Relation& other) {
        for (unsigned a = 0; a != most_events; ++a) row[a] |= other.row[a];
    }
    void close(unsigned count) {  // transitive closure (Warshall)
        for (unsigned via = 0; via != count; ++via) {
            for (unsigned a = 0; a != count; ++a) {
                if (has(a, via)) row[a] |= row[via];
            }
        }
    }
    bool reflexive_somewhere(unsigned count) const {
        for (unsigned a = 0; a != count; ++a) {
            if (has(a, a)) return true;
        }
        return false;
    }
};

Relation compose(const Relation& first, const Relation& second, unsigned count) {
    Relation both;
    for (unsigned a = 0; a != count; ++a) {
        for (unsigned via = 0; via != count; ++via) {
            if (first.has(a, via)) both.row[a] |= second.row[via];
        }
    }
    return both;
}

class Judge {
public:
    explicit Judge(const RandomProgram& program) : program_(program) {
        for (unsigned word = 0; word != RandomProgram::words; ++word) {
            Event initial = {};
            initial.writes = true;
            initial.core = RandomProgram::most_cores;
            initial.word = static_cast<uint8_t>(word);
            initial.source = nobody;
            events_[count_++] = initial;
        }
    }

    Verdict run() {
        extend();
        return verdict_;
    }

private:
    // ---- Graphs: any order of the cores' events in which reads find their sources before them

    void extend() {
        if (!graphs_.insert(signature()).second) return;  // reached before, in another order of its events
        bool complete = true;
        for (unsigned core = 0; core != program_.bodies.size(); ++core) {
            if (done_[core] == program_.bodies[core].size()) continue;
            complete = false;
            add_next(core);
        }
        if (complete) order_writes(0);
    }

    void add_next(unsigned core) {
        const Instruction& instruction = program_.bodies[core][done_[core]];
        Event event = {};
        event.core = static_cast<uint8_t>(core);
        event.index = static_cast<uint8_t>(done_[core]);
        event.word = instruction.word;
        event.source = nobody;
        event.fence = instruction.step == Step::fence;
        const Order order = event.fence ? Order::acq_rel : instruction.order;
        event.acquires = order == Order::acquire || order == Order::acq_rel;
        event.releases = order == Order::release || order == Order::acq_rel;
        event.reads = !event.fence && instruction.step != Step::store;
        if (event.fence) {
            push(event, core);
            return;
        }
        if (instruction.step == Step::store) {
            event.writes = true;
            event.acquires = false;
            event.written_value = instruction.value;
            push(event, core);
            return;
        }
        for (unsigned source = 0; source != count_; ++source) {
            if (!events_[source].writes || events_[source].word != event.word) continue;
            Event reading = event;
            reading.source = static_cast<uint8_t>(source);
            reading.read_value = events_[source].written_value;
            complete_read(reading, instruction);
            push(reading, core);
        }
    }

    static void complete_read(Event& event, const Instruction& instruction) {
        if (instruction.step == Step::load) {
            event.releases = false;
        } else if (instruction.step == Step::add) {
            event.writes = true;
            event.written_value = event.read_value + instruction.value;
        } else if (event.read_value == 0) {
            event.writes = true;
            event.written_value = instruction.value;
        } else {  // a failed exchange: the order on failure, see random_program.cpp
            event.releases = false;
            event.acquires = instruction.order == Order::acq_rel;
        }
    }

    void push(const Event& event, unsigned core) {
        events_[count_++] = event;
        ++done_[core];
        extend();
        --done_[core];
        --count_;
    }

    // Which events there are, and what they read from.
    std::string signature() const {
        std::string text(2 * RandomProgram::most_cores * RandomProgram::most_instructions, '-');
        for (unsigned a = RandomProgram::words; a != count_; ++a) {
            const Event& event = events_[a];
            const size_t at = 2u * (event.core * RandomProgram::most_instructions + event.index);
            text[at] = '+';
            if (event.source == nobody) continue;
            const Event& source = events_[event.source];
            text[at] = static_cast<char>('0' + source.core);
            text[at + 1] = static_cast<char>(
                '0' + (source.core == RandomProgram::most_cores ? source.word : source.index));
        }
        return text;
    }

    // ---- The order of the stores to each word

    void order_writes(unsigned word) {
        if (word == RandomProgram::words) {
            check();
            return;
        }
        std::vector<unsigned>& order = modification_[word];
        order.clear();
        for (unsigned a = RandomProgram::words; a != count_; ++a) {
            if (events_[a].writes && events_[a].word == word) order.push_back(a);
        }
        std::sort(order.begin(), order.end());
        do {
            if (atomic(word)) order_writes(word + 1);
        } while (std::next_permutation(order.begin(), order.end()));
    }

    // A read-modify-write comes right behind what it reads.
    bool atomic(unsigned word) const {
        unsigned previous = word;  // the initial store
        for (const unsigned a : modification_[word]) {
            if (events_[a].reads && events_[a].source != previous) return false;
            previous = a;
        }
        return true;
    }

    // ---- The axioms

    void check() {
        Relation program_order;
        for (unsigned a = 0; a != count_; ++a) {
            for (unsigned b = 0; b != count_; ++b) {
                const bool initial =
                    events_[a].core == RandomProgram::most_cores && b >= RandomProgram::words;
                const bool same = events_[a].core == events_[b].core && b >= RandomProgram::words;
                if ((initial && a < RandomProgram::words) || (same && events_[a].index < events_[b].index)) {
                    program_order.add(a, b);
                }
            }
        }
        Relation before = program_order;  // happens-before
        before.add(synchronizes(program_order));
        before.close(count_);
        const Relation communication = extended_coherence();
        if (before.reflexive_somewhere(count_)) return;
        if (compose(before, communication, count_).reflexive_somewhere(count_)) return;
        if (communication.reflexive_somewhere(count_)) return;

        Relation fences = compose(compose(before, communication, count_), before, count_);
        fences.add(before);
        for (unsigned a = 0; a != count_; ++a) {
            for (unsigned b = 0; b != count_; ++b) {
                if (!events_[a].fence || !events_[b].fence) fences.row[a] &= ~(1u << b);
            }
        }
        Relation closed = fences;
        closed.close(count_);
        if (closed.reflexive_somewhere(count_)) return;
        verdict_.rc11.insert(outcome());
        closed = fences;
        closed.add(program_order);
        for (unsigned a = 0; a != count_; ++a) {
            if (events_[a].source != nobody) closed.add(events_[a].source, a);
        }
        closed.close(count_);
        if (!closed.reflexive_somewhere(count_)) verdict_.machine.insert(outcome());
    }

    // Release to acquire, through release sequences and fences.
    Relation synchronizes(const Relation& program_order) const {
        Relation found;
        for (unsigned reader = RandomProgram::words; reader != count_; ++reader) {
            if (!events_[reader].reads) continue;
            unsigned write = events_[reader].source;  // and back along the read-modify-writes
            for (;;) {
                add_edges(found, program_order, write, reader);
                if (!events_[write].reads) break;
                write = events_[write].source;
            }
        }
        return found;
    }

    void add_edges(Relation& found, const Relation& program_order, unsigned write, unsigned reader) const {
        for (unsigned a = RandomProgram::words; a != count_; ++a) {
            const bool releases =
                a == write ? events_[a].releases : events_[a].fence && program_order.has(a, write);
            if (!releases) continue;
            for (unsigned b = RandomProgram::words; b != count_; ++b) {
                const bool acquires =
                    b == reader ? events_[b].acquires : events_[b].fence && program_order.has(reader, b);
                if (acquires) found.add(a, b);
            }
        }
    }

    // Reads-from, modification order, reads-before, and what follows from them.
    Relation extended_coherence() const {
        Relation found;
        for (unsigned word = 0; word != RandomProgram::words; ++word) {
            std::vector<unsigned> order = modification_[word];
            order.insert(order.begin(), word);
            for (size_t i = 0; i != order.size(); ++i) {
                for (size_t k = i + 1; k != order.size(); ++k) {
                    found.add(order[i], order[k]);
                    for (unsigned reader = 0; reader != count_; ++reader) {
                        const bool reads_older = events_[reader].source == order[i] && reader != order[k];
                        if (reads_older) found.add(reader, order[k]);
                    }
                }
            }
        }
        for (unsigned reader = 0; reader != count_; ++reader) {
            if (events_[reader].source != nobody) found.add(events_[reader].source, reader);
        }
        found.close(count_);
        return found;
    }

    std::string outcome() const {
        std::string text((RandomProgram::most_cores + 1) * RandomProgram::most_instructions, '-');
        for (unsigned a = RandomProgram::words; a != count_; ++a) {
            const Event& event = events_[a];
            if (!event.reads) continue;
            text[event.core * RandomProgram::most_instructions + event.index] =
                static_cast<char>('0' + event.read_value);
        }
        for (unsigned word = 0; word != RandomProgram::words; ++word) {
            const unsigned last = modification_[word].empty() ? word : modification_[word].back();
            text += static_cast<char>('0' + events_[last].written_value);
        }
        return text;
    }

    const RandomProgram& program_;
    Event events_[most_events];
    unsigned count_ = 0;
    size_t done_[RandomProgram::most_cores] = {};
    std::vector<unsigned> modification_[RandomProgram::words];
    std::set<std::string> graphs_;
    Verdict verdict_;
};

}  // namespace

Verdict judge(const RandomProgram& program) { return Judge(program).run(); }

}  // namespace litmus
