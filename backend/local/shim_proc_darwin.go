package local

import (
	"golang.org/x/sys/unix"

	"septet/backend"
)

// zombie is SZOMB of sys/proc.h.
const zombie = 5

// groupMembers lists the living processes of a group.
func groupMembers(group int) []int {
	var pids []int
	for _, p := range table("kern.proc.pgrp", group) {
		if p.Proc.P_stat != zombie {
			pids = append(pids, int(p.Proc.P_pid))
		}
	}
	return pids
}

func table(name string, args ...int) []unix.KinfoProc {
	list, err := unix.SysctlKinfoProcSlice(name, args...)
	if err != nil {
		return nil
	}
	return list
}

func namesOf(pids []int) []string {
	var names []string
	for _, p := range statesOf(pids) {
		names = append(names, p.Name)
	}
	return names
}

func statesOf(pids []int) []backend.Alive {
	var alive []backend.Alive
	for _, pid := range pids {
		for _, p := range table("kern.proc.pid", pid) {
			name := unix.ByteSliceToString(p.Proc.P_comm[:])
			state := string("?IRSTZ"[min(int(p.Proc.P_stat), zombie)])
			alive = append(alive, backend.Alive{PID: pid, Name: string(clean([]byte(name), maxTextBytes, false).text), State: state})
		}
	}
	return alive
}
