// SPDX-License-Identifier: MIT OR Apache-2.0
//! bench/host: workloads.hpp and workloads.cpp, in Rust, with rayon::join.
use crate::harness::tick;
use rayon::join;

pub fn fib_serial(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

pub fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

pub fn fib_forks(n: u32) -> f64 {
    (fib_serial(n + 1) - 1) as f64
}

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

// ---- Unbalanced tree search

pub trait Node: Sync {
    fn nodes(seed: u64) -> u64;
    fn root(seed: u64) -> Self;
    fn children(&self) -> u32;
    fn child(&self, index: u32) -> Self;
}

pub struct Binomial {
    state: u64,
    children: u32,
}

impl Node for Binomial {
    fn nodes(seed: u64) -> u64 {
        match seed {
            35 => 2_073_305,
            23 => 118_953,
            _ => 0,
        }
    }
    fn root(seed: u64) -> Self {
        Binomial { state: mix(seed), children: 2000 }
    }
    #[inline]
    fn children(&self) -> u32 {
        self.children
    }
    #[inline]
    fn child(&self, index: u32) -> Self {
        const Q: u64 = 536_333_517;
        let state = mix(self.state.wrapping_add((u64::from(index) + 1).wrapping_mul(GOLDEN_GAMMA)));
        Binomial { state, children: if state >> 32 < Q { 8 } else { 0 } }
    }
}

fn sha1(message: &[u8]) -> [u8; 20] {
    let mut block = [0u8; 64];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x80;
    block[60..].copy_from_slice(&(message.len() as u32 * 8).to_be_bytes());

    let mut w = [0u32; 80];
    for t in 0..16 {
        w[t] = u32::from_be_bytes([block[4 * t], block[4 * t + 1], block[4 * t + 2], block[4 * t + 3]]);
    }
    for t in 16..80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }
    let start = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let [mut a, mut b, mut c, mut d, mut e] = start;
    let mut step = |f: fn(u32, u32, u32) -> u32, k: u32, words: &[u32]| {
        for word in words {
            let next = a
                .rotate_left(5)
                .wrapping_add(f(b, c, d))
                .wrapping_add(e)
                .wrapping_add(k)
                .wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
    };
    step(|b, c, d| (b & c) ^ (!b & d), 0x5a82_7999, &w[..20]);
    step(|b, c, d| b ^ c ^ d, 0x6ed9_eba1, &w[20..40]);
    step(|b, c, d| (b & c) ^ (b & d) ^ (c & d), 0x8f1b_bcdc, &w[40..60]);
    step(|b, c, d| b ^ c ^ d, 0xca62_c1d6, &w[60..]);
    let mut digest = [0u8; 20];
    for (i, sum) in [a, b, c, d, e].iter().enumerate() {
        digest[4 * i..4 * i + 4].copy_from_slice(&start[i].wrapping_add(*sum).to_be_bytes());
    }
    digest
}

pub struct Geometric {
    state: [u8; 20],
    depth: u32,
    children: u32,
}

impl Geometric {
    fn new(message: &[u8], depth: u32) -> Self {
        let state = sha1(message);
        let random = u32::from_be_bytes([state[16], state[17], state[18], state[19]]) & 0x7fff_ffff;
        let uniform = f64::from(random) / 2_147_483_648.0;
        let log_of_more = -0.223_143_551_314_209_76; // ln(0.8)
        let children = ((1.0 - uniform).ln() / log_of_more).floor() as u32;
        Geometric { state, depth, children: if depth < 10 { children.min(100) } else { 0 } }
    }
}

impl Node for Geometric {
    fn nodes(seed: u64) -> u64 {
        match seed {
            19 => 4_130_071,
            _ => 0,
        }
    }
    fn root(seed: u64) -> Self {
        let mut message = [0; 20];
        message[16..].copy_from_slice(&(seed as u32).to_be_bytes());
        Geometric::new(&message, 0)
    }
    fn children(&self) -> u32 {
        self.children
    }
    fn child(&self, index: u32) -> Self {
        let mut message = [0; 24];
        message[..20].copy_from_slice(&self.state);
        message[20..].copy_from_slice(&index.to_be_bytes());
        Geometric::new(&message, self.depth + 1)
    }
}

fn uts_children<N: Node>(node: &N, first: u32, last: u32) -> u64 {
    if last - first == 1 {
        return uts(&node.child(first));
    }
    let middle = first + (last - first) / 2;
    let (a, b) = join(|| uts_children(node, first, middle), || uts_children(node, middle, last));
    a + b
}

pub fn uts<N: Node>(node: &N) -> u64 {
    if node.children() == 0 {
        1
    } else {
        1 + uts_children(node, 0, node.children())
    }
}

// ---- n-queens

#[derive(Default, Clone, Copy)]
pub struct Board {
    columns: [u8; 16],
}

impl Board {
    fn legal(&self, row: u32, column: u32) -> bool {
        (0..row).all(|i| {
            let other = u32::from(self.columns[i as usize]);
            let distance = row - i;
            other != column && other + distance != column && column + distance != other
        })
    }
    fn with(&self, row: u32, column: u8) -> Self {
        let mut next = *self;
        next.columns[row as usize] = column;
        next
    }
}

pub fn queens_solutions(size: u32) -> u64 {
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712][size as usize]
}

fn queens_between(board: &Board, size: u32, row: u32, columns: &[u8]) -> u64 {
    if columns.len() == 1 {
        return queens(&board.with(row, columns[0]), size, row + 1);
    }
    let (left, right) = columns.split_at(columns.len() / 2);
    let (a, b) = join(|| queens_between(board, size, row, left), || queens_between(board, size, row, right));
    a + b
}

pub fn queens(board: &Board, size: u32, row: u32) -> u64 {
    if row == size {
        return 1;
    }
    let mut columns = [0; 16];
    let mut count = 0;
    for column in 0..size {
        if board.legal(row, column) {
            columns[count] = column as u8;
            count += 1;
        }
    }
    if count == 0 {
        0
    } else {
        queens_between(board, size, row, &columns[..count])
    }
}

// ---- Loops

pub struct Array;

pub fn array() -> Vec<u32> {
    vec![0; Array::SIZE]
}

impl Array {
    const SIZE: usize = 1 << 18;
    pub const PASSES: u32 = 4;
    pub const OPERATIONS: f64 = Self::SIZE as f64 * Self::PASSES as f64;

    #[inline]
    pub fn change((index, value): (usize, &mut u32)) {
        *value = mix(index as u64 ^ u64::from(*value)) as u32;
    }
    #[inline]
    pub fn map((index, value): (usize, &u32)) -> u64 {
        mix(index as u64 ^ u64::from(*value))
    }
    pub fn sum(values: &[u32]) -> u64 {
        values.iter().enumerate().map(Self::map).fold(0, u64::wrapping_add)
    }
    pub fn check(values: &[u32], changed: u32) {
        for index in (0..Self::SIZE).step_by(61) {
            let mut right = 0;
            for _ in 0..changed {
                Self::change((index, &mut right));
            }
            assert_eq!(values[index], right, "the array is wrong");
        }
    }
}

pub fn run_load(seed: u64) {
    let mut x = seed;
    for _ in 0..32 {
        x = mix(x);
    }
    unsafe { std::ptr::read_volatile(&x) }; // black_box() is not in Debian's compiler
    tick();
}
