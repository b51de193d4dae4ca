#include "textflag.h"

// COMPARE leaves in AX one bit for each of the 32 places from DI on that begin
// a pair.
#define COMPARE \
	VPOR (DI), Y1, Y4; \
	VPOR (DI)(DX*1), Y3, Y5; \
	VPCMPEQB Y4, Y0, Y4; \
	VPCMPEQB Y5, Y2, Y5; \
	VPAND Y4, Y5, Y4; \
	VPMOVMSKB Y4, AX; \
	TESTL AX, AX

// func indexWide(text []byte, gap int, first, second letter) int
//
// A step compares 32 bytes with the first letter, and the 32 that lie gap bytes
// further with the second. The last step begins 32 places before the end: what
// it sees for the second time was no pair.
TEXT ·indexWide(SB), NOSPLIT, $0-48
	MOVQ text_base+0(FP), SI
	MOVQ text_len+8(FP), CX
	MOVQ gap+24(FP), DX
	VPBROADCASTB first_lower+32(FP), Y0
	VPBROADCASTB first_fold+33(FP), Y1
	VPBROADCASTB second_lower+34(FP), Y2
	VPBROADCASTB second_fold+35(FP), Y3
	SUBQ DX, CX
	LEAQ -32(SI)(CX*1), R8 // where the last step begins
	MOVQ SI, DI

steps:
	CMPQ DI, R8
	JHI  last
	COMPARE
	JNZ  found
	ADDQ $32, DI
	JMP  steps

last:
	MOVQ R8, DI
	COMPARE
	JNZ  found
	MOVQ $-1, ret+40(FP)
	VZEROUPPER
	RET

found:
	BSFL AX, AX
	ADDQ DI, AX
	SUBQ SI, AX
	MOVQ AX, ret+40(FP)
	VZEROUPPER
	RET
