package local

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"septet/backend"
	"septet/safepath"
)

// start starts the command in a Job Object that the system kills when its last
// handle is closed, which the death of this process does. The shell is
// assigned to it while it is still suspended, so that nothing can be started
// outside. A job cannot be asked to end: a timeout and a cancel have no grace
// here.
func (p *processes) start(c backend.Command, j job, dir *safepath.WorkDir) (*running, error) {
	r := p.newRunning(c)
	ends := &childEnds{}
	defer ends.close()
	if err := ends.open(r); err != nil {
		r.close()
		return nil, err
	}
	shell, object, err := startInJob(r, j, ends, dir)
	if err != nil {
		r.close()
		return nil, err
	}
	reports, orders := make(chan report), make(chan order, 4)
	go superviseJob(shell, object, orders, reports)
	r.begun, r.leader = true, shell.Pid
	r.link = supervision{
		reports: reports,
		order:   func(o order) { orders <- o }, // at most two come
		dismiss: func() {},
		adopt:   func(int) adoption { return adoption{} },
		release: func() bool { return windows.CloseHandle(object) == nil },
	}
	go r.stdout.drain(r.pipes[0])
	go r.stderr.drain(r.pipes[1])
	return r, nil
}

func startInJob(r *running, j job, ends *childEnds, dir *safepath.WorkDir) (*os.Process, windows.Handle, error) {
	object, err := newJobObject()
	if err != nil {
		return nil, 0, fmt.Errorf("make a job object: %w", err)
	}
	shell, err := os.StartProcess(j.Shell, j.arguments(), &os.ProcAttr{
		Dir:   dir.Path,
		Env:   r.command.Env,
		Files: ends.files,
		Sys: &syscall.SysProcAttr{
			HideWindow:    true,
			CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
		},
	})
	if err != nil {
		_ = windows.CloseHandle(object)
		return nil, 0, fmt.Errorf("start %s: %w", j.Shell, err)
	}
	if err := assign(object, shell.Pid); err != nil {
		_ = shell.Kill()
		_ = windows.CloseHandle(object)
		return nil, 0, fmt.Errorf("put %s into its job: %w", j.Shell, err)
	}
	return shell, object, nil
}

func newJobObject() (windows.Handle, error) {
	object, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if err := setLimits(object, &limits); err != nil {
		_ = windows.CloseHandle(object)
		return 0, err
	}
	return object, nil
}

// assign puts the suspended process into the job and lets it run. The handle
// of its thread is not at hand, so the process is resumed as a whole.
func assign(object windows.Handle, pid int) error {
	const suspendResume = 0x0800 // PROCESS_SUSPEND_RESUME
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE|suspendResume, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if err := windows.AssignProcessToJobObject(object, process); err != nil {
		return err
	}
	resume := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")
	if status, _, _ := resume.Call(uintptr(process)); status != 0 {
		return windows.NTStatus(status)
	}
	return nil
}

// superviseJob brings the command to its end; see supervisor.
func superviseJob(shell *os.Process, object windows.Handle, orders <-chan order, reports chan<- report) {
	defer close(reports)
	exited := make(chan *os.ProcessState, 1)
	go func() {
		state, _ := shell.Wait()
		exited <- state
	}()
	end := &ending{}
	select {
	case state := <-exited:
		end.ExitCode = state.ExitCode()
		if linger(object, orders) {
			end.Leftover = []string{"background processes"}
		}
	case <-orders:
		end.Asked = true
	}
	_ = windows.TerminateJobObject(object, 1)
	if !emptied(object, confirmTime, nil) {
		reports <- report{Alive: []backend.Alive{{PID: shell.Pid, Name: "bash", State: "?"}}}
		for !emptied(object, retryInterval, nil) {
			_ = windows.TerminateJobObject(object, 1)
		}
	}
	reports <- report{Ended: end}
}

// linger waits for what the shell left and reports whether something is left.
func linger(object windows.Handle, orders <-chan order) bool {
	return !emptied(object, lingerTime, orders)
}

// emptied waits until no process of the job is alive, d at most and not after
// an order, and reports whether that is so.
func emptied(object windows.Handle, d time.Duration, orders <-chan order) bool {
	for end := time.Now().Add(d); ; {
		if active(object) == 0 {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		select {
		case <-orders:
			return false
		case <-time.After(2 * time.Millisecond):
		}
	}
}
