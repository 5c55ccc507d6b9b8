// Package sample has a few values on the heap.
package sample

// User is somebody.
type User struct{ Name string }

// NewUser hands out the address of a local variable.
func NewUser(name string) *User {
	u := User{Name: name}
	return &u
}

// Greet keeps a value that it makes.
func Greet() {
	keep("Καλημέρα", &User{Name: "κόσμε"})
}

func keep(_ string, u *User) { last = u }

// Sum stays on the stack.
func Sum(values []int) (total int) {
	for _, value := range values {
		total += value
	}
	return total
}

var last *User
