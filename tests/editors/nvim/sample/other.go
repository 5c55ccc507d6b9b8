package sample

// Counter counts for as long as the function it returns lives.
func Counter() func() int {
	n := 0
	return func() int {
		n++
		return n
	}
}
