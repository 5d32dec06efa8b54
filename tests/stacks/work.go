// SPDX-License-Identifier: GPL-2.0-or-later

// Goroutines, recursion, sorting, garbage.
package main

import (
	"fmt"
	"sort"
	"strings"
)

type node struct {
	l, r *node
	v    int
}

func (n *node) add(v int) *node {
	if n == nil {
		return &node{v: v}
	}
	if v < n.v {
		n.l = n.l.add(v)
	} else {
		n.r = n.r.add(v)
	}
	return n
}

func work(k int) int {
	var t *node
	a := []string{}
	for i, x := 0, k; i < 20000; i++ {
		x = (x*1103515245 + 12345) & 0x7fffffff
		t = t.add(x)
		if i%10 == 0 {
			a = append(a, fmt.Sprint(x))
		}
	}
	sort.Strings(a)
	return len(strings.Join(a, ","))
}

func main() {
	sums := make(chan int)
	for g := 0; g < 4; g++ {
		go func(g int) {
			sum := 0
			for k := 0; k < 12; k++ {
				sum += work(k + g)
			}
			sums <- sum
		}(g)
	}
	for g := 0; g < 4; g++ {
		fmt.Println(<-sums)
	}
}
