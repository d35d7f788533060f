// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs an image of boards/rp2040:  node tools/rp2040/dual.cjs [--seed N] [--no-host] IMAGE.uf2 [ARGUMENT ...]
//
// rp2040js is one core of an RP2040 with its devices. Here it gets a second core that shares them, and what the two have
// between them: CPUID, the FIFOs and the boot ROM's handshake for core 1 in front of them, events (SEV, WFE); and for
// each core its own SysTick and interrupt controller. The cores take turns of one to four instructions, by a generator
// of random numbers: the same seed gives the same run. Each turn is an interleaving of the two; memory itself is in
// order, so a missing barrier does not show. When both sleep, time goes on to the next alarm; is there none, that is the
// end: a wake-up was lost.
//
// The host part is semihosting: arguments, files, and the exit status. --no-host: none, as on a board without debugger,
// whose core takes a HardFault for each request.
'use strict';

const fs = require('fs');
const path = require('path');

const FAMILY = 0xe48bff56;
const RAM = 0x20000000;
const DEADLOCK = 104;

function fail(text) {
  process.stderr.write(`weft: ${text}\n`);
  process.exit(1);
}

function library() {
  const folder = path.join(__dirname, '..', '..', 'build', 'rp2040js', 'node_modules', 'rp2040js');
  if (!fs.existsSync(folder)) fail('there is no rp2040js: tools/setup rp2040');
  return require(folder);
}

const { RP2040 } = library();
const { RPPPB } = require(path.join(path.dirname(require.resolve('../../build/rp2040js/node_modules/rp2040js')),
  'peripherals', 'ppb.js'));

// ---- The file, as the boot ROM takes it: blocks of its own family alone, into RAM; it starts at the lowest address.

function load(ram, file) {
  const bytes = fs.readFileSync(file);
  if (bytes.length === 0 || bytes.length % 512) fail(`${file}: these are no whole blocks of 512 bytes`);
  let lowest = Infinity;
  for (let at = 0; at < bytes.length; at += 512) {
    const word = (index) => bytes.readUInt32LE(at + 4 * index);
    if (word(0) !== 0x0a324655 || word(1) !== 0x9e5d5157 || word(127) !== 0x0ab16f30) fail(`${file}: not UF2`);
    if (!(word(2) & 0x2000) || word(7) !== FAMILY) {
      fail(`${file}: for another family of chips, ${word(2) & 0x2000 ? `0x${word(7).toString(16)}` : 'or for any'}`);
    }
    const address = word(3);
    const size = word(4);
    if (size > 476 || address < RAM || address + size > RAM + ram.length) fail(`${file}: not for RAM`);
    ram.set(bytes.subarray(at + 32, at + 32 + size), address - RAM);
    lowest = Math.min(lowest, address);
  }
  return lowest;
}

// ---- Two cores

function makeChip(console_) {
  const chip = new RP2040();
  const silent = () => {};
  const loud = (name, text) => process.stderr.write(`${name}: ${text}\n`);
  chip.logger = { debug: silent, info: silent, warn: loud, error: loud };
  chip.uart[0].onByte = console_;
  const first = chip.core;
  const cores = [first, new first.constructor(chip)];
  // What a core has for itself sees the chip with that core as the only one.
  const own = cores.map((core) => new RPPPB(Object.create(chip, { core: { value: core } }), 'PPB'));
  chip.addClockListener((hertz) => own.forEach((one) => { one.systickTimer.frequency = hertz; }));
  chip.setInterrupt = (number, value) => cores.forEach((core) => core.setInterrupt(number, value));

  const state = { chip, cores, own, now: 0, launched: false };
  state.turnTo = (index) => {
    state.now = index;
    chip.core = cores[index];
    chip.ppb = own[index];
  };
  state.event = () => cores.forEach((core) => {
    if (core.waiting) core.waiting = false;
    else core.eventRegistered = true;
  });
  addFifos(state);
  return state;
}

// SIO: who am I, and the two FIFOs of eight words. Before core 1 runs, its boot ROM answers.
function addFifos(state) {
  const { chip, cores } = state;
  const toCore = [[], []];
  const read = chip.sio.readUint32.bind(chip.sio);
  const write = chip.sio.writeUint32.bind(chip.sio);
  let words = [];
  const bootRom = (word) => {
    const expected = [0, 0, 1][words.length];
    if (expected !== undefined && word !== expected) {
      words = [];
      toCore[0].push(0);
      return;
    }
    words.push(word);
    toCore[0].push(word);
    if (words.length < 6) return;
    [, , , cores[1].VTOR, cores[1].SP] = words;
    cores[1].PC = words[5] & ~1;
    state.launched = true;
  };
  chip.sio.readUint32 = (offset) => {
    const mine = toCore[state.now];
    if (offset === 0x00) return state.now;
    if (offset === 0x50) return (mine.length ? 1 : 0) | (toCore[1 - state.now].length < 8 ? 2 : 0);
    if (offset === 0x58) return mine.length ? mine.shift() : 0;
    return read(offset);
  };
  chip.sio.writeUint32 = (offset, value) => {
    if (offset === 0x50) return;
    if (offset !== 0x54) {
      write(offset, value);
      return;
    }
    if (state.launched) toCore[1 - state.now].push(value >>> 0);
    else bootRom(value >>> 0);
    state.event();
  };
}

// ---- Semihosting: "Semihosting for AArch32 and AArch64" (Arm). Returns the answer, or an exit status in `state`.

function addHost(state, words) {
  const { chip } = state;
  const files = [];
  const text = (address, length) => Buffer.from(chip.sram.subarray(address - RAM, address - RAM + length)).toString();
  const calls = {
    0x01: (at) => {  // open
      try {
        return files.push(fs.readFileSync(text(chip.readUint32(at), chip.readUint32(at + 8)))) - 1;
      } catch {
        return -1;
      }
    },
    0x02: () => 0,  // close
    0x06: (at) => {  // read, at the next place of the file
      const [file, to, size] = [0, 4, 8].map((offset) => chip.readUint32(at + offset));
      if (!files[file] || to - RAM + size > chip.sram.length) return size;
      const piece = files[file].subarray(0, size);
      chip.sram.set(piece, to - RAM);
      files[file] = files[file].subarray(piece.length);
      return size - piece.length;
    },
    0x0c: (at) => (files[chip.readUint32(at)] ? files[chip.readUint32(at)].length : -1),
    0x15: (at) => {  // command line
      const line = Buffer.from(`${words.join(' ')}\0`);
      if (line.length > chip.readUint32(at + 4)) return -1;
      chip.sram.set(line, chip.readUint32(at) - RAM);
      chip.writeUint32(at + 4, line.length - 1);
      return 0;
    },
    0x20: (at) => {  // exit with a status
      state.status = chip.readUint32(at + 4) & 0xff;
      return 0;
    },
  };
  return (core) => {
    const call = calls[core.registers[0]];
    core.registers[0] = call ? call(core.registers[1]) : -1;
  };
}

// ---- Taking turns

function run(state, seed, most) {
  const { chip, cores } = state;
  const ram = chip.sramView;
  const nanos = 1e9 / 125e6;
  let random = seed | 0 || 1;
  const turns = () => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return random >>> 0;
  };
  while (state.status === undefined) {
    for (const core of cores) {
      if (core.waiting && core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
    }
    const awake = [!cores[0].waiting, state.launched && !cores[1].waiting];
    if (!awake[0] && !awake[1]) {
      if (!chip.clock.nextAlarm) return DEADLOCK;
      chip.clock.tick(chip.clock.nanosToNextAlarm);
      continue;
    }
    const drawn = turns();
    const index = awake[0] && awake[1] ? drawn & 1 : Number(awake[1]);
    const core = cores[index];
    state.turnTo(index);
    let cycles = 0;
    for (let left = 1 + (drawn >>> 1) % 4; left > 0 && !core.waiting && state.status === undefined; --left) {
      const at = core.PC - RAM;
      if (at >= 0 && at < chip.sram.length && ram.getUint16(at & ~1, true) === 0xbf40) state.event();  // SEV
      cycles += core.executeInstruction();
    }
    // While both run, each has half of the turns.
    chip.clock.tick(cycles * (awake[0] && awake[1] ? nanos / 2 : nanos));
    if (most && chip.clock.micros > most) return undefined;
  }
  return state.status;
}

function main() {
  const words = process.argv.slice(2);
  let seed = 1;
  let host = true;
  let most = 0;
  while (words.length && words[0].startsWith('--')) {
    const option = words.shift();
    if (option === '--seed') seed = Number(words.shift());
    else if (option === '--no-host') host = false;
    else if (option === '--microseconds') most = Number(words.shift());
    else fail(`dual.cjs knows no ${option}`);
  }
  if (!words.length) fail('which image?');
  let line = [];
  const flush = () => {
    if (line.length) fs.writeSync(1, Buffer.from(line));
    line = [];
  };
  const state = makeChip((byte) => {
    line.push(byte);
    if (byte === 10 && line.length > 4096) flush();
    else if (byte === 10) flush();
  });
  const begin = load(state.chip.sram, words[0]);
  const [first] = state.cores;
  first.SP = RAM + state.chip.sram.length;
  first.PC = begin;
  state.turnTo(0);
  const answer = host ? addHost(state, ['weft', ...words.slice(1)]) : (core) => {
    core.PC -= core.breakRewind;
    core.exceptionEntry(3);
  };
  state.chip.onBreak = (number) => {
    if (number === 0xab) {
      answer(state.chip.core);
    } else {
      process.stderr.write(`core ${state.now}: breakpoint ${number}\n`);
      state.status = 1;
    }
  };
  const status = run(state, seed, most);
  flush();
  if (status === DEADLOCK) process.stderr.write('Both cores sleep, and nothing will wake them.\n');
  process.exit(status === undefined ? 0 : status);
}

main();
