// Package sample has a few values on the heap.
package sample

// User is somebody.
type User struct{ Name string }

// NewUser hands out the address of a local variable.
func NewUser(name string) *User {
	u := User{Name: name}
	return &u
}

// Keep stores what it is given.
func Keep(names []string) {
	kept = append(kept, names...)
}

// Greeting has text before the value that takes more bytes than UTF-16 units.
func Greeting() {
	keep("Καλημέρα", &User{Name: "κόσμε"})
}

func keep(_ string, u *User) { last = u }

// Sum stays on the stack.
func Sum(values []int) (total int) {
	for _, v := range values {
		total += v
	}
	return total
}

var (
	kept []string
	last *User
)
