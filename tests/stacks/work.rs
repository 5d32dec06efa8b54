// SPDX-License-Identifier: GPL-2.0-or-later
// Recursion, sorting, panics that are caught, a thread.
use std::collections::BTreeMap;
fn fib(n: u32, seen: &mut BTreeMap<u32, u64>) -> u64 {
    if n < 2 { return n as u64; }
    let v = fib(n - 1, seen).wrapping_add(fib(n - 2, seen));
    *seen.entry(n).or_insert(0) ^= v;
    v
}
fn sort(k: usize) -> u64 {
    let mut v: Vec<u64> = (0..20000).map(|i| (i as u64).wrapping_mul(2862933555777941757) % 1000003).collect();
    v.sort_by(|a, b| b.cmp(a));
    v[k % 100]
}
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let other = std::thread::spawn(|| (0..60).map(sort).fold(0, |a, b| a ^ b));
    let mut sum = 0u64;
    for i in 0..150 {
        sum ^= fib(16, &mut BTreeMap::new()) ^ sort(i);
        let _ = std::panic::catch_unwind(|| if i % 3 == 0 { panic!("x") });
    }
    println!("{}", sum ^ other.join().unwrap());
}
