// SPDX-License-Identifier: GPL-2.0-or-later
// Recursion, sorting, JSON.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function work(k) {
	const a = [];
	for (let i = 0; i < 20000; i++)
		a.push((i * 7919 + k) % 10007);
	a.sort((x, y) => x - y);
	return JSON.parse(JSON.stringify(a)).length + fib(20);
}
let sum = 0;
for (let i = 0; i < 100; i++)
	sum += work(i);
console.log(sum);
