// SPDX-License-Identifier: GPL-2.0-or-later
/* Each row of the table of vector instructions, and each form of their operands. */
#include <elf.h>
#include <stdio.h>

#include "tests/unit/unit.h"
#include "util/disasm/disasm.h"
#include "util/disasm/text_private.h"

/* Bytes, and what GNU objdump 2.40 makes of them, in AT&T's syntax and in Intel's. */
struct row {
	const char *bytes, *att, *intel;
};

static const struct row rows[] = {
	{ "c5f892f3", "kmovw  %ebx,%k6", "kmovw  k6,ebx" },
	{ "c5f893da", "kmovw  %k2,%ebx", "kmovw  ebx,k2" },
	{ "c5f890f5", "kmovw  %k5,%k6", "kmovw  k6,k5" },
	{ "c5f992f3", "kmovb  %ebx,%k6", "kmovb  k6,ebx" },
	{ "c5f993da", "kmovb  %k2,%ebx", "kmovb  ebx,k2" },
	{ "c5f990f5", "kmovb  %k5,%k6", "kmovb  k6,k5" },
	{ "c4c17b92f1", "kmovd  %r9d,%k6", "kmovd  k6,r9d" },
	{ "c5fb93da", "kmovd  %k2,%ebx", "kmovd  ebx,k2" },
	{ "c4e1f990f5", "kmovd  %k5,%k6", "kmovd  k6,k5" },
	{ "c4e1fb92f3", "kmovq  %rbx,%k6", "kmovq  k6,rbx" },
	{ "c461fb93ca", "kmovq  %k2,%r9", "kmovq  r9,k2" },
	{ "c4e1f890f5", "kmovq  %k5,%k6", "kmovq  k6,k5" },
	{ "c5f898e3", "kortestw %k3,%k4", "kortestw k4,k3" },
	{ "c5f998e3", "kortestb %k3,%k4", "kortestb k4,k3" },
	{ "c4e1f898e3", "kortestq %k3,%k4", "kortestq k4,k3" },
	{ "c4e1f998e3", "kortestd %k3,%k4", "kortestd k4,k3" },
	{ "c5f899e3", "ktestw %k3,%k4", "ktestw k4,k3" },
	{ "c5f999e3", "ktestb %k3,%k4", "ktestb k4,k3" },
	{ "c4e1f899e3", "ktestq %k3,%k4", "ktestq k4,k3" },
	{ "c4e1f999e3", "ktestd %k3,%k4", "ktestd k4,k3" },
	{ "c5f844e3", "knotw  %k3,%k4", "knotw  k4,k3" },
	{ "c5f944e3", "knotb  %k3,%k4", "knotb  k4,k3" },
	{ "c4e1f844e3", "knotq  %k3,%k4", "knotq  k4,k3" },
	{ "c4e1f944e3", "knotd  %k3,%k4", "knotd  k4,k3" },
	{ "c5ec41d9", "kandw  %k1,%k2,%k3", "kandw  k3,k2,k1" },
	{ "c5ed41d9", "kandb  %k1,%k2,%k3", "kandb  k3,k2,k1" },
	{ "c4e1ec41d9", "kandq  %k1,%k2,%k3", "kandq  k3,k2,k1" },
	{ "c4e1ed41d9", "kandd  %k1,%k2,%k3", "kandd  k3,k2,k1" },
	{ "c5ec42d9", "kandnw %k1,%k2,%k3", "kandnw k3,k2,k1" },
	{ "c5ed42d9", "kandnb %k1,%k2,%k3", "kandnb k3,k2,k1" },
	{ "c4e1ec42d9", "kandnq %k1,%k2,%k3", "kandnq k3,k2,k1" },
	{ "c4e1ed42d9", "kandnd %k1,%k2,%k3", "kandnd k3,k2,k1" },
	{ "c5ec45d9", "korw   %k1,%k2,%k3", "korw   k3,k2,k1" },
	{ "c5ed45d9", "korb   %k1,%k2,%k3", "korb   k3,k2,k1" },
	{ "c4e1ec45d9", "korq   %k1,%k2,%k3", "korq   k3,k2,k1" },
	{ "c4e1ed45d9", "kord   %k1,%k2,%k3", "kord   k3,k2,k1" },
	{ "c5ec46d9", "kxnorw %k1,%k2,%k3", "kxnorw k3,k2,k1" },
	{ "c5ed46d9", "kxnorb %k1,%k2,%k3", "kxnorb k3,k2,k1" },
	{ "c4e1ec46d9", "kxnorq %k1,%k2,%k3", "kxnorq k3,k2,k1" },
	{ "c4e1ed46d9", "kxnord %k1,%k2,%k3", "kxnord k3,k2,k1" },
	{ "c5ec47d9", "kxorw  %k1,%k2,%k3", "kxorw  k3,k2,k1" },
	{ "c5ed47d9", "kxorb  %k1,%k2,%k3", "kxorb  k3,k2,k1" },
	{ "c4e1ec47d9", "kxorq  %k1,%k2,%k3", "kxorq  k3,k2,k1" },
	{ "c4e1ed47d9", "kxord  %k1,%k2,%k3", "kxord  k3,k2,k1" },
	{ "c5ec4ad9", "kaddw  %k1,%k2,%k3", "kaddw  k3,k2,k1" },
	{ "c5ed4ad9", "kaddb  %k1,%k2,%k3", "kaddb  k3,k2,k1" },
	{ "c4e1ec4ad9", "kaddq  %k1,%k2,%k3", "kaddq  k3,k2,k1" },
	{ "c4e1ed4ad9", "kaddd  %k1,%k2,%k3", "kaddd  k3,k2,k1" },
	{ "c5ed4bd9", "kunpckbw %k1,%k2,%k3", "kunpckbw k3,k2,k1" },
	{ "c5ec4bd9", "kunpckwd %k1,%k2,%k3", "kunpckwd k3,k2,k1" },
	{ "c4e1ec4bd9", "kunpckdq %k1,%k2,%k3", "kunpckdq k3,k2,k1" },
	{ "c4e37930d105", "kshiftrb $0x5,%k1,%k2", "kshiftrb k2,k1,0x5" },
	{ "c4e3f930d105", "kshiftrw $0x5,%k1,%k2", "kshiftrw k2,k1,0x5" },
	{ "c4e37931d105", "kshiftrd $0x5,%k1,%k2", "kshiftrd k2,k1,0x5" },
	{ "c4e3f931d105", "kshiftrq $0x5,%k1,%k2", "kshiftrq k2,k1,0x5" },
	{ "c4e37932d105", "kshiftlb $0x5,%k1,%k2", "kshiftlb k2,k1,0x5" },
	{ "c4e3f932d105", "kshiftlw $0x5,%k1,%k2", "kshiftlw k2,k1,0x5" },
	{ "c4e37933d105", "kshiftld $0x5,%k1,%k2", "kshiftld k2,k1,0x5" },
	{ "c4e3f933d105", "kshiftlq $0x5,%k1,%k2", "kshiftlq k2,k1,0x5" },
	{ "62b16d2a74c9", "vpcmpeqb %ymm17,%ymm2,%k1{%k2}", "vpcmpeqb k1{k2},ymm2,ymm17" },
	{ "62f36d483f6f0101", "vpcmpltb 0x40(%rdi),%zmm2,%k5",
	  "vpcmpltb k5,zmm2,ZMMWORD PTR [rdi+0x40]" },
	{ "62b3ed2a3fc901", "vpcmpltw %ymm17,%ymm2,%k1{%k2}", "vpcmpltw k1{k2},ymm2,ymm17" },
	{ "62f3ed483f6f0102", "vpcmplew 0x40(%rdi),%zmm2,%k5",
	  "vpcmplew k5,zmm2,ZMMWORD PTR [rdi+0x40]" },
	{ "62b36d2a3ec902", "vpcmpleub %ymm17,%ymm2,%k1{%k2}", "vpcmpleub k1{k2},ymm2,ymm17" },
	{ "62f36d483e6f0104", "vpcmpnequb 0x40(%rdi),%zmm2,%k5",
	  "vpcmpnequb k5,zmm2,ZMMWORD PTR [rdi+0x40]" },
	{ "62b3ed2a3ec904", "vpcmpnequw %ymm17,%ymm2,%k1{%k2}", "vpcmpnequw k1{k2},ymm2,ymm17" },
	{ "62f3ed483e6f0105", "vpcmpnltuw 0x40(%rdi),%zmm2,%k5",
	  "vpcmpnltuw k5,zmm2,ZMMWORD PTR [rdi+0x40]" },
	{ "62b36d2a1fc905", "vpcmpnltd %ymm17,%ymm2,%k1{%k2}", "vpcmpnltd k1{k2},ymm2,ymm17" },
	{ "62f36d581f6f0406", "vpcmpnled 0x10(%rdi){1to16},%zmm2,%k5",
	  "vpcmpnled k5,zmm2,DWORD BCST [rdi+0x10]" },
	{ "62b3ed2a1fc906", "vpcmpnleq %ymm17,%ymm2,%k1{%k2}", "vpcmpnleq k1{k2},ymm2,ymm17" },
	{ "62f2ed58296f03", "vpcmpeqq 0x18(%rdi){1to8},%zmm2,%k5",
	  "vpcmpeqq k5,zmm2,QWORD BCST [rdi+0x18]" },
	{ "62b36d2a1ec900", "vpcmpequd %ymm17,%ymm2,%k1{%k2}", "vpcmpequd k1{k2},ymm2,ymm17" },
	{ "62f36d581e6f0401", "vpcmpltud 0x10(%rdi){1to16},%zmm2,%k5",
	  "vpcmpltud k5,zmm2,DWORD BCST [rdi+0x10]" },
	{ "62b3ed2a1ec901", "vpcmpltuq %ymm17,%ymm2,%k1{%k2}", "vpcmpltuq k1{k2},ymm2,ymm17" },
	{ "62f3ed581e6f0302", "vpcmpleuq 0x18(%rdi){1to8},%zmm2,%k5",
	  "vpcmpleuq k5,zmm2,QWORD BCST [rdi+0x18]" },
	{ "62b36d081fc903", "vpcmpd $0x3,%xmm17,%xmm2,%k1", "vpcmpd k1,xmm2,xmm17,0x3" },
	{ "62b3ed081ec907", "vpcmpuq $0x7,%xmm17,%xmm2,%k1", "vpcmpuq k1,xmm2,xmm17,0x7" },
	{ "62b36d083fc909", "vpcmpb $0x9,%xmm17,%xmm2,%k1", "vpcmpb k1,xmm2,xmm17,0x9" },
	{ "62f10d4074d9", "vpcmpeqb %zmm1,%zmm30,%k3", "vpcmpeqb k3,zmm30,zmm1" },
	{ "62f16529746603", "vpcmpeqb 0x60(%rsi),%ymm3,%k4{%k1}",
	  "vpcmpeqb k4{k1},ymm3,YMMWORD PTR [rsi+0x60]" },
	{ "62f10d4075d9", "vpcmpeqw %zmm1,%zmm30,%k3", "vpcmpeqw k3,zmm30,zmm1" },
	{ "62f16529756603", "vpcmpeqw 0x60(%rsi),%ymm3,%k4{%k1}",
	  "vpcmpeqw k4{k1},ymm3,YMMWORD PTR [rsi+0x60]" },
	{ "62f10d4076d9", "vpcmpeqd %zmm1,%zmm30,%k3", "vpcmpeqd k3,zmm30,zmm1" },
	{ "62f16539766603", "vpcmpeqd 0xc(%rsi){1to8},%ymm3,%k4{%k1}",
	  "vpcmpeqd k4{k1},ymm3,DWORD BCST [rsi+0xc]" },
	{ "62f28d4029d9", "vpcmpeqq %zmm1,%zmm30,%k3", "vpcmpeqq k3,zmm30,zmm1" },
	{ "62f2e539296603", "vpcmpeqq 0x18(%rsi){1to4},%ymm3,%k4{%k1}",
	  "vpcmpeqq k4{k1},ymm3,QWORD BCST [rsi+0x18]" },
	{ "62f20d4026d9", "vptestmb %zmm1,%zmm30,%k3", "vptestmb k3,zmm30,zmm1" },
	{ "62f26529266603", "vptestmb 0x60(%rsi),%ymm3,%k4{%k1}",
	  "vptestmb k4{k1},ymm3,YMMWORD PTR [rsi+0x60]" },
	{ "62f28d4026d9", "vptestmw %zmm1,%zmm30,%k3", "vptestmw k3,zmm30,zmm1" },
	{ "62f2e529266603", "vptestmw 0x60(%rsi),%ymm3,%k4{%k1}",
	  "vptestmw k4{k1},ymm3,YMMWORD PTR [rsi+0x60]" },
	{ "62f20e4026d9", "vptestnmb %zmm1,%zmm30,%k3", "vptestnmb k3,zmm30,zmm1" },
	{ "62f26629266603", "vptestnmb 0x60(%rsi),%ymm3,%k4{%k1}",
	  "vptestnmb k4{k1},ymm3,YMMWORD PTR [rsi+0x60]" },
	{ "62f28e4026d9", "vptestnmw %zmm1,%zmm30,%k3", "vptestnmw k3,zmm30,zmm1" },
	{ "62f2e629266603", "vptestnmw 0x60(%rsi),%ymm3,%k4{%k1}",
	  "vptestnmw k4{k1},ymm3,YMMWORD PTR [rsi+0x60]" },
	{ "62f20d4027d9", "vptestmd %zmm1,%zmm30,%k3", "vptestmd k3,zmm30,zmm1" },
	{ "62f26539276603", "vptestmd 0xc(%rsi){1to8},%ymm3,%k4{%k1}",
	  "vptestmd k4{k1},ymm3,DWORD BCST [rsi+0xc]" },
	{ "62f28d4027d9", "vptestmq %zmm1,%zmm30,%k3", "vptestmq k3,zmm30,zmm1" },
	{ "62f2e539276603", "vptestmq 0x18(%rsi){1to4},%ymm3,%k4{%k1}",
	  "vptestmq k4{k1},ymm3,QWORD BCST [rsi+0x18]" },
	{ "62f20e4027d9", "vptestnmd %zmm1,%zmm30,%k3", "vptestnmd k3,zmm30,zmm1" },
	{ "62f26639276603", "vptestnmd 0xc(%rsi){1to8},%ymm3,%k4{%k1}",
	  "vptestnmd k4{k1},ymm3,DWORD BCST [rsi+0xc]" },
	{ "62f28e4027d9", "vptestnmq %zmm1,%zmm30,%k3", "vptestnmq k3,zmm30,zmm1" },
	{ "62f2e639276603", "vptestnmq 0x18(%rsi){1to4},%ymm3,%k4{%k1}",
	  "vptestnmq k4{k1},ymm3,QWORD BCST [rsi+0x18]" },
	{ "6243654325e921", "vpternlogd $0x21,%zmm9,%zmm19,%zmm29{%k3}",
	  "vpternlogd zmm29{k3},zmm19,zmm9,0x21" },
	{ "629365b92564ec0521", "vpternlogd $0x21,0x14(%r12,%r13,8){1to8},%ymm3,%ymm4{%k1}{z}",
	  "vpternlogd ymm4{k1}{z},ymm3,DWORD BCST [r12+r13*8+0x14],0x21" },
	{ "6243e54325e921", "vpternlogq $0x21,%zmm9,%zmm19,%zmm29{%k3}",
	  "vpternlogq zmm29{k3},zmm19,zmm9,0x21" },
	{ "6293e5b92564ec0521", "vpternlogq $0x21,0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpternlogq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28],0x21" },
	{ "6243654303e921", "valignd $0x21,%zmm9,%zmm19,%zmm29{%k3}",
	  "valignd zmm29{k3},zmm19,zmm9,0x21" },
	{ "629365b90364ec0521", "valignd $0x21,0x14(%r12,%r13,8){1to8},%ymm3,%ymm4{%k1}{z}",
	  "valignd ymm4{k1}{z},ymm3,DWORD BCST [r12+r13*8+0x14],0x21" },
	{ "6243e54303e921", "valignq $0x21,%zmm9,%zmm19,%zmm29{%k3}",
	  "valignq zmm29{k3},zmm19,zmm9,0x21" },
	{ "6293e5b90364ec0521", "valignq $0x21,0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "valignq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28],0x21" },
	{ "6243654343e921", "vshufi32x4 $0x21,%zmm9,%zmm19,%zmm29{%k3}",
	  "vshufi32x4 zmm29{k3},zmm19,zmm9,0x21" },
	{ "629365b94364ec0521", "vshufi32x4 $0x21,0x14(%r12,%r13,8){1to8},%ymm3,%ymm4{%k1}{z}",
	  "vshufi32x4 ymm4{k1}{z},ymm3,DWORD BCST [r12+r13*8+0x14],0x21" },
	{ "6243e54343e921", "vshufi64x2 $0x21,%zmm9,%zmm19,%zmm29{%k3}",
	  "vshufi64x2 zmm29{k3},zmm19,zmm9,0x21" },
	{ "6293e5b94364ec0521", "vshufi64x2 $0x21,0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vshufi64x2 ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28],0x21" },
	{ "6242e543b4e9", "vpmadd52luq %zmm9,%zmm19,%zmm29{%k3}",
	  "vpmadd52luq zmm29{k3},zmm19,zmm9" },
	{ "6292e5b9b464ec05", "vpmadd52luq 0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpmadd52luq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28]" },
	{ "6242e543b5e9", "vpmadd52huq %zmm9,%zmm19,%zmm29{%k3}",
	  "vpmadd52huq zmm29{k3},zmm19,zmm9" },
	{ "6292e5b9b564ec05", "vpmadd52huq 0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpmadd52huq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28]" },
	{ "6242654336e9", "vpermd %zmm9,%zmm19,%zmm29{%k3}", "vpermd zmm29{k3},zmm19,zmm9" },
	{ "629265b93664ec05", "vpermd 0x14(%r12,%r13,8){1to8},%ymm3,%ymm4{%k1}{z}",
	  "vpermd ymm4{k1}{z},ymm3,DWORD BCST [r12+r13*8+0x14]" },
	{ "6242e54345e9", "vpsrlvq %zmm9,%zmm19,%zmm29{%k3}", "vpsrlvq zmm29{k3},zmm19,zmm9" },
	{ "6292e5b94564ec05", "vpsrlvq 0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpsrlvq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28]" },
	{ "6242e54347e9", "vpsllvq %zmm9,%zmm19,%zmm29{%k3}", "vpsllvq zmm29{k3},zmm19,zmm9" },
	{ "6292e5b94764ec05", "vpsllvq 0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpsllvq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28]" },
	{ "6241654362e9", "vpunpckldq %zmm9,%zmm19,%zmm29{%k3}",
	  "vpunpckldq zmm29{k3},zmm19,zmm9" },
	{ "629165b96264ec05", "vpunpckldq 0x14(%r12,%r13,8){1to8},%ymm3,%ymm4{%k1}{z}",
	  "vpunpckldq ymm4{k1}{z},ymm3,DWORD BCST [r12+r13*8+0x14]" },
	{ "624165436ae9", "vpunpckhdq %zmm9,%zmm19,%zmm29{%k3}",
	  "vpunpckhdq zmm29{k3},zmm19,zmm9" },
	{ "629165b96a64ec05", "vpunpckhdq 0x14(%r12,%r13,8){1to8},%ymm3,%ymm4{%k1}{z}",
	  "vpunpckhdq ymm4{k1}{z},ymm3,DWORD BCST [r12+r13*8+0x14]" },
	{ "6241e5436ce9", "vpunpcklqdq %zmm9,%zmm19,%zmm29{%k3}",
	  "vpunpcklqdq zmm29{k3},zmm19,zmm9" },
	{ "6291e5b96c64ec05", "vpunpcklqdq 0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpunpcklqdq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28]" },
	{ "6241e5436de9", "vpunpckhqdq %zmm9,%zmm19,%zmm29{%k3}",
	  "vpunpckhqdq zmm29{k3},zmm19,zmm9" },
	{ "6291e5b96d64ec05", "vpunpckhqdq 0x28(%r12,%r13,8){1to4},%ymm3,%ymm4{%k1}{z}",
	  "vpunpckhqdq ymm4{k1}{z},ymm3,QWORD BCST [r12+r13*8+0x28]" },
	{ "62c3fd4800e11b", "vpermq $0x1b,%zmm9,%zmm20", "vpermq zmm20,zmm9,0x1b" },
	{ "62e3fd380060031b", "vpermq $0x1b,0x18(%rax){1to4},%ymm20",
	  "vpermq ymm20,QWORD BCST [rax+0x18],0x1b" },
	{ "62a27d4878e1", "vpbroadcastb %xmm17,%zmm20", "vpbroadcastb zmm20,xmm17" },
	{ "62e27d29786703", "vpbroadcastb 0x3(%rdi),%ymm20{%k1}",
	  "vpbroadcastb ymm20{k1},BYTE PTR [rdi+0x3]" },
	{ "62e27d487ae3", "vpbroadcastb %ebx,%zmm20", "vpbroadcastb zmm20,ebx" },
	{ "62a27d4879e1", "vpbroadcastw %xmm17,%zmm20", "vpbroadcastw zmm20,xmm17" },
	{ "62e27d29796703", "vpbroadcastw 0x6(%rdi),%ymm20{%k1}",
	  "vpbroadcastw ymm20{k1},WORD PTR [rdi+0x6]" },
	{ "62e27d487be3", "vpbroadcastw %ebx,%zmm20", "vpbroadcastw zmm20,ebx" },
	{ "62a27d4858e1", "vpbroadcastd %xmm17,%zmm20", "vpbroadcastd zmm20,xmm17" },
	{ "62e27d29586703", "vpbroadcastd 0xc(%rdi),%ymm20{%k1}",
	  "vpbroadcastd ymm20{k1},DWORD PTR [rdi+0xc]" },
	{ "62c27d487ce1", "vpbroadcastd %r9d,%zmm20", "vpbroadcastd zmm20,r9d" },
	{ "62a2fd4859e1", "vpbroadcastq %xmm17,%zmm20", "vpbroadcastq zmm20,xmm17" },
	{ "62e2fd29596703", "vpbroadcastq 0x18(%rdi),%ymm20{%k1}",
	  "vpbroadcastq ymm20{k1},QWORD PTR [rdi+0x18]" },
	{ "62c2fd487ce1", "vpbroadcastq %r9,%zmm20", "vpbroadcastq zmm20,r9" },
	{ "62b1654872c407", "vprord $0x7,%zmm20,%zmm3", "vprord zmm3,zmm20,0x7" },
	{ "62f1655a72450207", "vprord $0x7,0x8(%rbp){1to16},%zmm3{%k2}",
	  "vprord zmm3{k2},DWORD BCST [rbp+0x8],0x7" },
	{ "62b1654872cc07", "vprold $0x7,%zmm20,%zmm3", "vprold zmm3,zmm20,0x7" },
	{ "62f1655a724d0207", "vprold $0x7,0x8(%rbp){1to16},%zmm3{%k2}",
	  "vprold zmm3{k2},DWORD BCST [rbp+0x8],0x7" },
	{ "62b1654872d407", "vpsrld $0x7,%zmm20,%zmm3", "vpsrld zmm3,zmm20,0x7" },
	{ "62f1655a72550207", "vpsrld $0x7,0x8(%rbp){1to16},%zmm3{%k2}",
	  "vpsrld zmm3{k2},DWORD BCST [rbp+0x8],0x7" },
	{ "62b1654872e407", "vpsrad $0x7,%zmm20,%zmm3", "vpsrad zmm3,zmm20,0x7" },
	{ "62f1655a72650207", "vpsrad $0x7,0x8(%rbp){1to16},%zmm3{%k2}",
	  "vpsrad zmm3{k2},DWORD BCST [rbp+0x8],0x7" },
	{ "62b1654872f407", "vpslld $0x7,%zmm20,%zmm3", "vpslld zmm3,zmm20,0x7" },
	{ "62f1655a72750207", "vpslld $0x7,0x8(%rbp){1to16},%zmm3{%k2}",
	  "vpslld zmm3{k2},DWORD BCST [rbp+0x8],0x7" },
	{ "62b1e54873d407", "vpsrlq $0x7,%zmm20,%zmm3", "vpsrlq zmm3,zmm20,0x7" },
	{ "62f1e55a73550207", "vpsrlq $0x7,0x10(%rbp){1to8},%zmm3{%k2}",
	  "vpsrlq zmm3{k2},QWORD BCST [rbp+0x10],0x7" },
	{ "62b1e54873f407", "vpsllq $0x7,%zmm20,%zmm3", "vpsllq zmm3,zmm20,0x7" },
	{ "62f1e55a73750207", "vpsllq $0x7,0x10(%rbp){1to8},%zmm3{%k2}",
	  "vpsllq zmm3{k2},QWORD BCST [rbp+0x10],0x7" },
	{ "62b1654873dc07", "vpsrldq $0x7,%zmm20,%zmm3", "vpsrldq zmm3,zmm20,0x7" },
	{ "62f16548735d0207", "vpsrldq $0x7,0x80(%rbp),%zmm3",
	  "vpsrldq zmm3,ZMMWORD PTR [rbp+0x80],0x7" },
	{ "62b1654873fc07", "vpslldq $0x7,%zmm20,%zmm3", "vpslldq zmm3,zmm20,0x7" },
	{ "62f16548737d0207", "vpslldq $0x7,0x80(%rbp),%zmm3",
	  "vpslldq zmm3,ZMMWORD PTR [rbp+0x80],0x7" },
	{ "62b36d083fc908", "vpcmpb $0x8,%xmm17,%xmm2,%k1", "vpcmpb k1,xmm2,xmm17,0x8" },
	{ "c5fb92fc", "kmovd  %esp,%k7", "kmovd  k7,esp" },
	{ "c5fb93ff", "kmovd  %k7,%edi", "kmovd  edi,k7" },
	{ "c4e1fb93e8", "kmovq  %k0,%rbp", "kmovq  rbp,k0" },
	{ "62f27548268845230100", "vptestmb 0x12345(%rax),%zmm1,%k1",
	  "vptestmb k1,zmm1,ZMMWORD PTR [rax+0x12345]" },
	{ "62f275482648fe", "vptestmb -0x80(%rax),%zmm1,%k1",
	  "vptestmb k1,zmm1,ZMMWORD PTR [rax-0x80]" },
	{ "62f27548260d00100000", "vptestmb 0x1000(%rip),%zmm1,%k1",
	  "vptestmb k1,zmm1,ZMMWORD PTR [rip+0x1000]" },
	{ "62f27548260c2534120000", "vptestmb 0x1234,%zmm1,%k1",
	  "vptestmb k1,zmm1,ZMMWORD PTR ds:0x1234" },
	{ "62b27548260c8d10000000", "vptestmb 0x10(,%r9,4),%zmm1,%k1",
	  "vptestmb k1,zmm1,ZMMWORD PTR [r9*4+0x10]" },
	{ "62f27548268c48f0ffffff", "vptestmb -0x10(%rax,%rcx,2),%zmm1,%k1",
	  "vptestmb k1,zmm1,ZMMWORD PTR [rax+rcx*2-0x10]" },
	{ "62d27508264d00", "vptestmb 0x0(%r13),%xmm1,%k1",
	  "vptestmb k1,xmm1,XMMWORD PTR [r13+0x0]" },
	{ "62f27508260c24", "vptestmb (%rsp),%xmm1,%k1", "vptestmb k1,xmm1,XMMWORD PTR [rsp]" },
	{ "62d27508264c2404", "vptestmb 0x40(%r12),%xmm1,%k1",
	  "vptestmb k1,xmm1,XMMWORD PTR [r12+0x40]" },
	{ "62f27508260dbbdcfeff", "vptestmb -0x12345(%rip),%xmm1,%k1",
	  "vptestmb k1,xmm1,XMMWORD PTR [rip+0xfffffffffffedcbb]" },
	{ "62927508268c37bbdcfeff", "vptestmb -0x12345(%r15,%r14,1),%xmm1,%k1",
	  "vptestmb k1,xmm1,XMMWORD PTR [r15+r14*1-0x12345]" },
	{ "62f165387626", "vpcmpeqd (%rsi){1to8},%ymm3,%k4", "vpcmpeqd k4,ymm3,DWORD BCST [rsi]" },
};

static u32 parse(const char *hex, u8 *bytes)
{
	unsigned byte;
	u32 nr = 0;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		bytes[nr++] = (u8)byte;
	return nr;
}

/* The whole text, whether capstone knows the instruction or the table is asked. */
static void check(bool intel)
{
	const struct disasm_options options = { .machine = EM_X86_64,
		                                .is64 = true,
		                                .intel = intel };
	struct error err = ERROR_INIT;
	struct disasm *disasm = disasm__new(&options, &err);
	struct insn insn;
	u8 bytes[16];

	if (!disasm) {
		unit__skip("built without capstone");
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 nr = parse(rows[i].bytes, bytes);

		CHECK_EQ(disasm__next(disasm, bytes, nr, 0x1000, &insn), nr);
		CHECK_STR(insn.text, intel ? rows[i].intel : rows[i].att);
	}
	disasm__delete(disasm);
}

TEST(vector_text_writes_each_row_as_objdump_does)
{
	check(false);
}

TEST(vector_text_writes_each_row_in_intel_syntax)
{
	check(true);
}

#ifdef HAVE_CAPSTONE
/* The table by itself: other versions of capstone know others of its rows. */
TEST(vector_text_needs_no_capstone)
{
	u8 bytes[16];

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 nr = parse(rows[i].bytes, bytes);

		for (u32 size = 0; size < nr; size++)
			CHECK_EQ(vector_text__length(bytes, size), 0);
		CHECK_EQ(vector_text__length(bytes, nr), nr);
		for (unsigned intel = 0; intel < 2; intel++) {
			struct insn insn = { .addr = 0x1000, .size = (u8)nr };

			CHECK(vector_text__make(&insn, bytes, nr, intel));
			CHECK_STR(insn.text, intel ? rows[i].intel : rows[i].att);
		}
	}
}

/* rip counts from the instruction behind. */
TEST(vector_text_tells_what_rip_refers_to)
{
	u8 bytes[16];
	u32 nr = parse("62f27548260d00100000", bytes);
	struct insn insn = { .addr = 0x1000 };

	CHECK(vector_text__make(&insn, bytes, nr, false));
	CHECK(insn.refers);
	CHECK_EQ(insn.target, 0x1000 + nr + 0x1000);
}

/* Forms that the table has not: memory where a register must be, an unknown opcode. */
TEST(vector_text_refuses_what_it_has_not)
{
	static const char *const others[] = {
		"c5f89203",     /* kmovw (%rbx), in the row of registers */
		"c5f89303",     /* and back */
		"c5f89003",     /* kmovw (%rbx),%k0 */
		"c5ec4103",     /* kandw of memory */
		"62f27d487a03", /* vpbroadcastb of a general register */
		"62f16d48dfd9", /* vpandnd */
		"62f2656826d8", /* vptestmb of a length that there is not */
	};
	u8 bytes[16];

	for (u32 i = 0; i < ARRAY_SIZE(others); i++) {
		struct insn insn = { .addr = 0x1000 };
		u32 nr = parse(others[i], bytes);

		CHECK_EQ(vector_text__length(bytes, nr), nr);
		CHECK(!vector_text__make(&insn, bytes, nr, false));
	}
	/* Maps of opcodes that there are not. */
	CHECK_EQ(vector_text__length(bytes, parse("62f07d487803", bytes)), 0);
	CHECK_EQ(vector_text__length(bytes, parse("62f77d487803", bytes)), 0);
	CHECK_EQ(vector_text__length(bytes, parse("62f67d487803", bytes)), 6);
}
#endif
