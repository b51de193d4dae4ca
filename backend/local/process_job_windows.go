package local

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func setLimits(object windows.Handle, limits *windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION) error {
	_, err := windows.SetInformationJobObject(object, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(limits)), uint32(unsafe.Sizeof(*limits)))
	return err
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime             int64
	periodUserTime, periodKernelTime int64
	pageFaults                       uint32
	processes                        uint32
	active                           uint32
	terminated                       uint32
}

// active counts the living processes of a job; 0 when the system does not say.
func active(object windows.Handle) uint32 {
	var a accounting
	const basicAccounting = 1 // JobObjectBasicAccountingInformation
	if windows.QueryInformationJobObject(object, basicAccounting, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil) != nil {
		return 0
	}
	return a.active
}
