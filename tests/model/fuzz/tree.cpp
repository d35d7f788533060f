// SPDX-License-Identifier: MIT OR Apache-2.0
// Generated programs: the tree as text, and its numbering.
#include "tree.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "sources.hpp"

namespace fuzz {

namespace {

constexpr OpKind kinds[op_count] = {
    {"submit", true, 0, true, 1},    {"batch", true, 1, true, 1},     {"pin", true, 1, true, 1},
    {"among", true, 1, true, 1},     {"lot", true, 2, true, 1},       {"fork", false, 0, false, 2},
    {"for", false, 2, false, 1},     {"reduce", false, 2, false, 1},  {"group", false, 1, false, -1},
    {"call", true, 0, false, 1},     {"crew", true, 1, false, -1},    {"poll", true, 1, false, 0},
    {"run", true, 0, false, 0},      {"serve", true, 0, false, 0},    {"await", true, 0, false, 0},
    {"shutdown", true, 0, false, 0}, {"abandon", true, 0, false, 0},  {"join", true, 0, false, 0},
    {"meet", false, 1, false, 0},    {"forever", false, 0, false, 0}, {"tick", false, 1, false, 0},
    {"offer", true, 0, false, 0},    {"cycle", true, 0, false, 0},    {"idle", true, 0, false, 0},
    {"asleep", true, 1, false, 1},   {"work", true, 1, false, 1},     {"begin", true, 2, false, 0},
    {"finish", true, 2, false, 0},   {"revoke", true, 1, false, 0},   {"tell", true, 2, false, 0},
    {"still", true, 2, false, 1},    {"resume", true, 0, false, 0},   {"retire", true, 1, false, 0},
    {"admit", true, 1, false, 0},    {"limit", true, 1, false, 0},    {"keep", true, 1, false, 0},
    {"most", true, 1, false, 0},     {"strand", true, 1, true, 1},    {"gate", true, 1, false, 1},
    {"arrive", true, 2, false, 0},   {"wait", true, 1, true, 1},      {"set", true, 1, false, 0},
    {"signal", true, 1, false, 0},   {"clear", true, 1, false, 0},    {"timer", true, 1, false, 1},
    {"after", true, 3, false, 0},    {"at", true, 3, false, 0},       {"every", true, 3, false, 0},
    {"cancel", true, 1, false, 0},   {"drop", true, 1, false, 0},
};

const char* const start_names[] = {"normal", "refused", "absent", "never"};

// ---- Text

void print(std::string& out, const Block& block, unsigned indent);

void print(std::string& out, const Statement& statement, unsigned indent) {
    const OpKind& kind = kind_of(statement.op);
    out.append(4 * indent, ' ');
    out += kind.name;
    if (kind.pool) out += statement.pool == 0 ? " A" : " B";
    for (unsigned i = 0; i != kind.numbers; ++i) out += " " + std::to_string(statement.number[i]);
    if (statement.waits) out += " wait";
    for (const Block& block : statement.blocks) print(out, block, indent);
    out += "\n";
}

void print(std::string& out, const Block& block, unsigned indent) {
    if (block.empty()) {
        out += " {}";
        return;
    }
    out += " {\n";
    for (const Statement& statement : block) print(out, statement, indent + 1);
    out.append(4 * indent, ' ');
    out += "}";
}

std::string text_of(const Machinery& machine) {
    std::string out = machine.targeted ? "machine wake=targeted" : "machine wake=event";
    const auto add = [&out](const char* name, uint32_t value, uint32_t usual) {
        if (value != usual) out += std::string(" ") + name + "=" + std::to_string(value);
    };
    add("nested", machine.nested, 0);
    add("clock", machine.clock, 0);
    add("rate", machine.rate, 1);
    add("per_call", machine.per_call, 0);
    add("spurious_parks", machine.spurious_parks, 0);
    add("spurious_exchanges", machine.spurious_exchanges, 0);
    return out + "\n";
}

// ---- Reading

class Reader {
public:
    explicit Reader(const std::string& text) {
        std::istringstream lines(text);
        std::string line;
        while (std::getline(lines, line)) {
            std::istringstream words(line.substr(0, line.find('#')));
            std::string word;
            while (words >> word) add(word);
        }
    }
    bool more() const { return at_ != words_.size(); }
    bool next_is(const std::string& word) const { return more() && words_[at_] == word; }
    std::string take() {
        if (!more()) throw std::invalid_argument("the program ends too early");
        return words_[at_++];
    }
    bool skip(const std::string& word) {
        if (!next_is(word)) return false;
        ++at_;
        return true;
    }
    void must(const std::string& word) {
        if (!skip(word))
            throw std::invalid_argument("expected " + word + (more() ? ", not " + words_[at_] : ""));
    }
    uint32_t number() { return static_cast<uint32_t>(std::stoul(take())); }
    unsigned pool() {
        const std::string name = take();
        if (name != "A" && name != "B") throw std::invalid_argument("no pool " + name);
        return name == "A" ? 0 : 1;
    }
    // "name=value": true, and the value.
    bool option(const std::string& name, std::string& value) {
        if (!more() || words_[at_].compare(0, name.size() + 1, name + "=") != 0) return false;
        value = take().substr(name.size() + 1);
        return true;
    }
    template <class Number>
    bool option(const std::string& name, Number& value) {
        std::string text;
        if (!option(name, text)) return false;
        value = static_cast<Number>(std::stoul(text));
        return true;
    }

private:
    // Braces are words of their own.
    void add(const std::string& word) {
        std::string rest;
        for (const char letter : word) {
            if (letter != '{' && letter != '}') {
                rest += letter;
                continue;
            }
            if (!rest.empty()) words_.push_back(rest);
            rest.clear();
            words_.emplace_back(1, letter);
        }
        if (!rest.empty()) words_.push_back(rest);
    }

    std::vector<std::string> words_;
    size_t at_ = 0;
};

Block read_block(Reader& reader);

Statement read_statement(Reader& reader, const std::string& name) {
    unsigned index = 0;
    while (index != op_count && name != kinds[index].name) ++index;
    if (index == op_count) throw std::invalid_argument("unknown statement " + name);
    Statement statement;
    statement.op = static_cast<Op>(index);
    const OpKind& kind = kinds[index];
    if (kind.pool) statement.pool = reader.pool();
    for (unsigned i = 0; i != kind.numbers; ++i) statement.number[i] = reader.number();
    if (kind.tasks) statement.waits = reader.skip("wait");
    const unsigned blocks = kind.blocks >= 0 ? static_cast<unsigned>(kind.blocks) : statement.number[0] + 1;
    if (blocks > 8) throw std::invalid_argument("too many children");
    for (unsigned i = 0; i != blocks; ++i) statement.blocks.push_back(read_block(reader));
    return statement;
}

Block read_block(Reader& reader) {
    Block block;
    reader.must("{");
    while (!reader.skip("}")) block.push_back(read_statement(reader, reader.take()));
    return block;
}

Start start_of(const std::string& name) {
    for (unsigned i = 0; i != 4; ++i) {
        if (name == start_names[i]) return static_cast<Start>(i);
    }
    throw std::invalid_argument("unknown start " + name);
}

void read_core(Reader& reader, Program& program) {
    const unsigned number = reader.number();
    if (number >= most_program_cores) throw std::invalid_argument("too many cores");
    if (program.cores.size() <= number) program.cores.resize(number + 1);
    Core& core = program.cores[number];
    core.rested = reader.skip("rested");
    std::string late;
    if (reader.option("late", late)) {
        std::istringstream names(late);
        for (std::string name; std::getline(names, name, ',');) core.late.push_back(start_of(name));
    }
    core.boots = reader.next_is("{");
    if (core.boots) core.body = read_block(reader);
}

void read_machine(Reader& reader, Machinery& machine) {
    std::string wake;
    for (bool more = true; more;) {
        more = reader.option("nested", machine.nested) || reader.option("clock", machine.clock) ||
               reader.option("rate", machine.rate) || reader.option("per_call", machine.per_call) ||
               reader.option("spurious_parks", machine.spurious_parks) ||
               reader.option("spurious_exchanges", machine.spurious_exchanges) || reader.option("wake", wake);
    }
    machine.targeted = wake == "targeted";
}

void read_settings(Reader& reader, Settings& settings) {
    for (bool more = true; more;) {
        more = reader.option("checks", settings.checks) || reader.option("depth", settings.depth) ||
               reader.option("fair", settings.fair) || reader.option("rounds", settings.rounds) ||
               reader.option("deadline", settings.deadline) || reader.option("timers", settings.timers) ||
               reader.option("rest", settings.rest) || reader.option("sets", settings.sets) ||
               reader.option("quiesce", settings.quiesce) || reader.option("elastic", settings.elastic) ||
               reader.option("blocking", settings.blocking) ||
               reader.option("mandatory", settings.mandatory) || reader.option("policies", settings.policies);
    }
}

void read_pool(Reader& reader, Program& program) {
    if (reader.pool() != program.pools.size()) throw std::invalid_argument("pool A comes first, then B");
    PoolKind pool;
    while (reader.option("cores", pool.cores) || reader.option("ring", pool.ring)) {
    }
    pool.last = reader.skip("last");
    pool.split = reader.skip("split");
    program.pools.push_back(pool);
}

// ---- Numbering

struct Numberer {
    Program& program;
    Layout& layout;
    const Events events = look_at_events(program);
    unsigned ids = 0;
    bool in_handler = false;
    bool uncertain = false;  // nobody knows how often this is executed
    bool unasked = false;    // nor whether

    // `pool`: of the task that the block stands in.
    void block(Block& statements, unsigned copies, unsigned pool) {
        for (Statement& statement : statements) number(statement, copies, pool);
    }
    void number(Statement& statement, unsigned copies, unsigned pool) {
        const OpKind& kind = kind_of(statement.op);
        if (kind.pool && statement.pool >= program.pools.size()) throw std::invalid_argument("no such pool");
        statement.id = ids++;
        layout.items.emplace_back();
        const unsigned all = copies * copies_of(statement);
        layout.items[statement.id] = {static_cast<unsigned>(layout.tasks.size()), layout.cells, copies};
        const bool loose = unasked || (statement.op == Op::wait && !events.surely_come(statement));
        if (kind.tasks) {
            if (!loose) layout.expected[statement.pool] += all;
            for (unsigned i = 0; i != all; ++i) layout.tasks.push_back({&statement, i, in_handler, loose});
        } else {
            layout.cells += all * static_cast<unsigned>(statement.blocks.size());
        }
        if (is_of_source(statement.op) && statement.op != Op::gate) source(statement, copies);
        if (is_of_timer(statement.op) && statement.op != Op::timer) of_timer(statement, copies);
        if (is_of_work(statement.op)) of_work(statement, copies);
        if (layout.tasks.size() > most_tasks || layout.cells > most_cells || all > most_cells)
            throw std::invalid_argument("the program is too large");
        if (statement.op == Op::forever) layout.forever[pool] += copies;
        if (statement.op == Op::meet) {
            if (statement.number[0] >= most_meetings) throw std::invalid_argument("too many meetings");
            layout.meeting[statement.number[0]] += copies;
            layout.meeting_pool[statement.number[0]] = pool;
        }
        const unsigned inner = kind.pool ? statement.pool : pool;
        for (Block& child : statement.blocks) block(child, all, inner);
    }
    void source(const Statement& statement, unsigned copies) {
        const uint32_t which = statement.number[0];
        if (which >= (statement.op == Op::arrive ? program.gates.size() : most_sources))
            throw std::invalid_argument("no such strand, gate or event");
        if (statement.op == Op::strand) layout.in_strand[statement.pool][which] += copies;
        if (gives(statement.op)) layout.givers[statement.pool][which] += copies;
        if (statement.op != Op::arrive) return;
        layout.cells += copies;
        const uint32_t by = statement.number[1];
        if (by == 0 || by > program.gates[which].number[0]) return;
        layout.arrivals[which] += by * copies;
        layout.arriving[which] += copies;
    }
    void of_work(const Statement& statement, unsigned copies) {
        const uint32_t which = statement.number[0];
        if (which >= program.works.size()) throw std::invalid_argument("no such work");
        if (!begins(statement.op)) return;
        Layout::Work& work = layout.works[which];
        work.told = work.told || statement.op == Op::tell;
        work.begins += copies;
        if (work.begins > most_begins) throw std::invalid_argument("too many rounds");
    }
    // All others that begin it have their numbers: a work begins later ones only.
    void work(Statement& statement, unsigned which) {
        if (statement.op != Op::work) throw std::invalid_argument("no work");
        if (statement.pool >= program.pools.size()) throw std::invalid_argument("no such pool");
        Layout::Work& its = layout.works[which];
        const auto revoke = [which](const Statement& one) {
            return one.op == Op::revoke && one.number[0] == which;
        };
        unsigned all = 0;
        unsigned own = 0;
        for_all(program, [&](const Statement& one) { all += revoke(one) ? 1 : 0; });
        for_each(statement.blocks[0], [&](const Statement& one) { own += revoke(one) ? 1 : 0; });
        its.revoked = all != own;
        its.sure = !its.revoked && !its.told && statement.number[0] == 0;
        statement.id = ids++;
        layout.items.emplace_back();
        layout.items[statement.id].copies = 1;
        if (its.sure) layout.expected[statement.pool] += its.begins;
        block(statement.blocks[0], its.begins, statement.pool);
    }
    void asleep(Statement& statement) {
        if (statement.op != Op::asleep) throw std::invalid_argument("no function");
        if (statement.pool >= program.pools.size()) throw std::invalid_argument("no such pool");
        statement.id = ids++;
        layout.items.emplace_back();
        layout.items[statement.id].copies = 1;
        unasked = true;
        block(statement.blocks[0], statement.number[0], statement.pool);
        unasked = false;
    }
    void of_timer(const Statement& statement, unsigned copies) {
        const uint32_t which = statement.number[0];
        if (which >= program.timers.size()) throw std::invalid_argument("no such timer");
        Layout::Timer& timer = layout.timers[which];
        if (cancels(statement.op)) {
            timer.cancelled = true;
            return;
        }
        timer.starts += copies;
        if (timer.starts > most_starts) throw std::invalid_argument("too many starts");
        timer.periodic = timer.periodic || statement.op == Op::every;
        timer.once = timer.once || statement.op != Op::every;
        timer.uncertain = timer.uncertain || uncertain;
        timer.refused = timer.refused || !is_in_range(statement);
    }
    // All others that start it have their numbers: a follower starts its own timer, and later ones.
    void timer(Statement& statement, unsigned which) {
        if (statement.op != Op::timer) throw std::invalid_argument("no timer");
        if (statement.pool >= program.pools.size()) throw std::invalid_argument("no such pool");
        if (statement.number[0] > most_rounds) throw std::invalid_argument("too many runs");
        const unsigned most = statement.number[0];
        Layout::Timer& its = layout.timers[which];
        const unsigned before = its.starts;
        bool cancelled = its.cancelled;
        bool good = true;
        for_each(statement.blocks[0], [&](const Statement& one) {
            const bool own = is_of_timer(one.op) && one.number[0] == which;
            cancelled = cancelled || (own && cancels(one.op));
            good = good && (!own || !arms(one.op) || (one.op != Op::every && is_in_range(one)));
        });
        its.own = own_starts(statement.blocks[0], which, 1);
        const bool one_kind = !its.periodic || (!its.once && its.own == 0);
        its.sure = before == 1 && good && !cancelled && !its.uncertain && !its.refused && one_kind &&
                   its.own <= 1 && (most != 0 || !its.periodic);
        const unsigned bodies = its.sure && !its.periodic && its.own == 0 ? std::min(most, 1u) : most;
        if (its.sure) its.runs = its.periodic ? most : 1 + most * its.own;
        statement.id = ids++;
        layout.items.emplace_back();
        layout.items[statement.id].copies = 1;
        layout.expected[statement.pool] += its.runs;
        uncertain = !its.sure;
        block(statement.blocks[0], bodies, statement.pool);
        uncertain = false;
    }
    static unsigned own_starts(const Block& block, unsigned which, unsigned copies) {
        unsigned sum = 0;
        for (const Statement& statement : block) {
            if (arms(statement.op) && statement.number[0] == which) sum += copies;
            for (const Block& inner : statement.blocks)
                sum += own_starts(inner, which, copies * copies_of(statement));
        }
        return sum;
    }
    // All arrivals have their numbers: a follower arrives at later gates only.
    void gate(Statement& statement, unsigned which) {
        if (statement.op != Op::gate) throw std::invalid_argument("no gate");
        if (statement.pool >= program.pools.size()) throw std::invalid_argument("no such pool");
        const uint32_t arrivals = statement.number[0];
        const unsigned rounds = arrivals == 0 ? 0 : layout.arrivals[which] / arrivals;
        if (rounds > most_rounds) throw std::invalid_argument("too many rounds");
        statement.id = ids++;
        layout.items.emplace_back();
        layout.items[statement.id].copies = 1;
        layout.rounds[which] = rounds;
        layout.expected[statement.pool] += rounds;
        block(statement.blocks[0], rounds, statement.pool);
    }
};

}  // namespace

const OpKind& kind_of(Op op) { return kinds[static_cast<unsigned>(op)]; }

bool is_in_range(const Statement& start) {
    constexpr uint32_t half_a_turn = 1u << 31;
    const uint32_t ticks = start.number[1];
    const uint32_t slack = start.number[2];
    if (start.op == Op::at) return slack < half_a_turn;  // the tick may have passed
    if (start.op == Op::every && (ticks == 0 || slack >= ticks)) return false;
    return ticks < half_a_turn && slack < half_a_turn - ticks;
}

uint32_t cores_of(const Statement& statement) {
    const uint32_t number = statement.number[statement.op == Op::lot ? 1 : 0];
    if (statement.op != Op::pin) return number;
    return bit_of(number);
}

unsigned copies_of(const Statement& statement) {
    const bool many = statement.op == Op::batch || statement.op == Op::lot || statement.op == Op::loop ||
                      statement.op == Op::reduce;
    return many ? statement.number[0] : 1;
}

namespace {

// Nobody waits for it, and it needs nobody.
bool stands_alone(const Statement& statement) {
    if (statement.op != Op::submit || statement.waits) return false;
    bool good = true;
    for_each(statement.blocks[0], [&good](const Statement& one) {
        good = good && one.op != Op::meet && one.op != Op::forever && one.op != Op::finish &&
               one.op != Op::still && !one.waits;
    });
    return good;
}

}  // namespace

bool may_be_blocking(const Statement& statement, unsigned task) {
    return task % 4 == 2 && stands_alone(statement);
}

bool may_be_mandatory(const Statement& statement, unsigned task) {
    return task % 4 == 0 && stands_alone(statement);
}

namespace {

// What a task may call on top of another one, and does there what it does anywhere.
bool may_be_on_top(const Block& body) {
    bool good = true;
    for (const Statement& one : body) {
        switch (one.op) {
            case Op::submit:
            case Op::batch:
            case Op::strand:
            case Op::wait: good = good && !one.waits; break;
            case Op::arrive:
            case Op::set:
            case Op::signal:
            case Op::clear:
            case Op::after:
            case Op::at:
            case Op::every:
            case Op::tick: break;
            case Op::fork:
            case Op::loop:
            case Op::reduce:
            case Op::group:  // serially
                for (const Block& block : one.blocks) good = good && may_be_on_top(block);
                break;
            default: return false;
        }
    }
    return good;
}

}  // namespace

bool may_preempt(const Statement& statement, unsigned task) {
    const bool usual = statement.op == Op::submit || statement.op == Op::batch;
    return task % 3 == 2 && usual && may_be_on_top(statement.blocks[0]);
}

std::string to_text(const Settings& settings) {
    return "settings checks=" + std::to_string(settings.checks) + " depth=" + std::to_string(settings.depth) +
           " fair=" + std::to_string(settings.fair) + " rounds=" + std::to_string(settings.rounds) +
           " deadline=" + std::to_string(settings.deadline) + " timers=" + std::to_string(settings.timers) +
           " rest=" + std::to_string(settings.rest) + " sets=" + std::to_string(settings.sets) +
           " quiesce=" + std::to_string(settings.quiesce) + " elastic=" + std::to_string(settings.elastic) +
           " blocking=" + std::to_string(settings.blocking) +
           " mandatory=" + std::to_string(settings.mandatory) +
           " policies=" + std::to_string(settings.policies) + "\n";
}

std::string to_text(const Program& program) {
    std::string out = to_text(program.settings) + text_of(program.machine);
    for (size_t i = 0; i != program.pools.size(); ++i) {
        const PoolKind& pool = program.pools[i];
        out += std::string("pool ") + (i == 0 ? "A" : "B") + " cores=" + std::to_string(pool.cores) +
               " ring=" + std::to_string(pool.ring) + (pool.last ? " last" : "") +
               (pool.split ? " split\n" : "\n");
    }
    for (size_t i = 0; i != program.cores.size(); ++i) {
        const Core& core = program.cores[i];
        if (!core.boots && core.late.empty()) continue;
        out += "core " + std::to_string(i) + (core.rested ? " rested" : "");
        for (size_t k = 0; k != core.late.size(); ++k)
            out += std::string(k == 0 ? " late=" : ",") + start_names[static_cast<unsigned>(core.late[k])];
        if (core.boots) print(out, core.body, 0);
        out += "\n";
    }
    for (const Handler& handler : program.handlers) {
        out += "handler " + std::to_string(handler.core) + " times=" + std::to_string(handler.times);
        print(out, handler.body, 0);
        out += "\n";
    }
    for (const Statement& asleep : program.asleep) print(out, asleep, 0);
    for (const Statement& work : program.works) print(out, work, 0);
    for (const Statement& timer : program.timers) print(out, timer, 0);
    for (const Statement& gate : program.gates) print(out, gate, 0);
    return out;
}

Program parse(const std::string& text) {
    Program program;
    program.settings = built_settings();
    Reader reader(text);
    while (reader.more()) {
        const std::string word = reader.take();
        if (word == "settings") {
            read_settings(reader, program.settings);
        } else if (word == "machine") {
            read_machine(reader, program.machine);
        } else if (word == "pool") {
            read_pool(reader, program);
        } else if (word == "core") {
            read_core(reader, program);
        } else if (word == "handler") {
            Handler handler;
            handler.core = reader.number();
            reader.option("times", handler.times);
            handler.body = read_block(reader);
            program.handlers.push_back(handler);
        } else if (word == "gate") {
            program.gates.push_back(read_statement(reader, word));
        } else if (word == "asleep") {
            program.asleep.push_back(read_statement(reader, word));
        } else if (word == "work") {
            program.works.push_back(read_statement(reader, word));
        } else if (word == "timer") {
            program.timers.push_back(read_statement(reader, word));
        } else {
            throw std::invalid_argument("unknown word " + word);
        }
    }
    return program;
}

Layout lay_out(Program& program) {
    Layout layout;
    Numberer numberer{program, layout};
    for (Core& core : program.cores) numberer.block(core.body, 1, 0);
    numberer.in_handler = true;
    for (Handler& handler : program.handlers) numberer.block(handler.body, handler.times, 0);
    numberer.in_handler = false;
    if (program.asleep.size() > program.pools.size()) throw std::invalid_argument("too many functions");
    for (Statement& asleep : program.asleep) numberer.asleep(asleep);
    if (program.works.size() > most_works) throw std::invalid_argument("too many works");
    for (unsigned i = 0; i != program.works.size(); ++i) numberer.work(program.works[i], i);
    if (program.timers.size() > most_timers) throw std::invalid_argument("too many timers");
    for (unsigned i = 0; i != program.timers.size(); ++i) numberer.timer(program.timers[i], i);
    if (program.gates.size() > most_sources) throw std::invalid_argument("too many gates");
    for (unsigned i = 0; i != program.gates.size(); ++i) numberer.gate(program.gates[i], i);
    return layout;
}

void count_statements(const Program& program, uint64_t (&counts)[op_count]) {
    for_all(program,
            [&counts](const Statement& statement) { ++counts[static_cast<unsigned>(statement.op)]; });
}

}  // namespace fuzz
