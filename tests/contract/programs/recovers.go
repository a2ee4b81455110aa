// A Go program handles its own SIGSEGVs: a nil dereference is a panic that can
// be recovered. With an argument the last one is not, and Go exits with 2.
package main

import (
	"os"
	"strconv"
	"sync"
)

type node struct{ next *node }

var seen *node

func recovered(n *node) (hit int) {
	defer func() {
		if recover() != nil {
			hit = 1
		}
	}()
	seen = n.next
	return 0
}

func main() {
	var group sync.WaitGroup
	hits := make(chan int, 1000)
	for i := 0; i < 20; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for k := 0; k < 50; k++ {
				hits <- recovered(nil)
			}
		}()
	}
	group.Wait()
	close(hits)
	sum := 0
	for hit := range hits {
		sum += hit
	}
	os.Stdout.WriteString("recovered " + strconv.Itoa(sum) + "\n")
	if len(os.Args) > 1 {
		var none *node
		seen = none.next
	}
	os.Exit(4)
}
