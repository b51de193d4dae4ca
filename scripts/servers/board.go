package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// board holds what was measured, by row and by server.
type board struct {
	rows   []string
	values map[string]map[string][]float64
}

func newBoard(t *tree) *board {
	b := &board{rows: []string{rowFirst, rowTools}, values: map[string]map[string][]float64{}}
	for _, o := range operations(t) {
		b.rows = append(b.rows, o.name)
	}
	b.rows = append(b.rows, rowIdle, rowPeak)
	for _, row := range b.rows {
		b.values[row] = map[string][]float64{}
	}
	return b
}

func (b *board) add(row string, c *contestant, value float64) {
	b.values[row][c.name] = append(b.values[row][c.name], value)
}

// print writes a line for each row. The last column is septet's median by the
// best of the others': under 1 it is first.
func (b *board) print(w io.Writer, servers []*contestant) {
	fmt.Fprintf(w, "%-21s", "")
	for _, c := range servers {
		fmt.Fprintf(w, " %21s", c.name)
	}
	fmt.Fprintln(w, " ratio")
	for _, row := range b.rows {
		fmt.Fprintf(w, "%-21s", row)
		for _, c := range servers {
			fmt.Fprintf(w, " %21s", cell(b.values[row][c.name]))
		}
		fmt.Fprintln(w, " "+b.ratio(row, servers))
	}
}

// cell is "median (p95)", the value alone when there is one, or "-".
func cell(values []float64) string {
	switch sorted := slices.Sorted(slices.Values(values)); len(sorted) {
	case 0:
		return "-"
	case 1:
		return number(sorted[0])
	default:
		return number(median(sorted)) + fmt.Sprintf("%10s", "("+number(sorted[(len(sorted)*95-1)/100])+")")
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// number keeps three digits of a small value.
func number(v float64) string {
	if v < 10 {
		return strings.TrimLeft(fmt.Sprintf("%.2f", v), " ")
	}
	return fmt.Sprintf("%.1f", v)
}

func (b *board) ratio(row string, servers []*contestant) string {
	best := 0.0
	for _, c := range servers[1:] {
		if values := b.values[row][c.name]; len(values) > 0 && (best == 0 || median(values) < best) {
			best = median(values)
		}
	}
	if own := b.values[row][servers[0].name]; best > 0 && len(own) > 0 {
		return fmt.Sprintf("%.2f", median(own)/best)
	}
	return "-"
}
