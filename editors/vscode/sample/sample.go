// Package sample has one of each: what goes to the heap, and why.
package sample

import "fmt"

// Point is small; a copy of it is cheap.
type Point struct{ X, Y int }

// New returns the address of a local variable: it has to outlive the call. Hover over p.
func New(x, y int) *Point {
	p := Point{x, y}
	return &p
}

// Moved returns a copy: nothing goes to the heap. Compare the two in the view.
func Moved(p Point, by int) Point {
	p.X += by
	return p
}

// Report puts numbers into interfaces: each is boxed, and this happens in a loop.
func Report(points []Point) {
	for _, p := range points {
		fmt.Println(p.X, p.Y)
	}
}

var last *Point

// Keep stores its parameter in a variable that lives longer: callers pay for it.
func Keep(p *Point) { last = p }
