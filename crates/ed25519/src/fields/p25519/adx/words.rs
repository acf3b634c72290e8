//! Four words of 64 bits: any number below 2^256 stands for its residue modulo p, so nothing has bounds to be kept.
//!
//! 2^256 is 38 modulo p. A product of 512 bits is folded once, to a number of at most 38 above the fourth word, and
//! that once more. Products leave the flags alone (MULX), so two chains of carries run through one row of a product:
//! one in the carry flag (ADCX), one in the overflow flag (ADOX).

use core::arch::asm;
use core::arch::x86_64::{_addcarry_u64, _subborrow_u64};
use phalanx_core::simd::Adx;

/// A number below 2^256, least significant word first.
pub(super) type Words = [u64; 4];

/// From eight words in r8 to r15, and a fold of what is above 2^256: the residue in r8 to r11. The upper words are below
/// 2^256, so r12 becomes at most 38, 38 r12 at most 1444; if adding it wraps, what is left is below 1444, and 38 more
/// does not leave the lowest word.
macro_rules! fold {
    () => {
        "mov edx, 38
         xor ecx, ecx
         mulx rcx, rax, r12
         adcx r8, rax
         adox r9, rcx
         mulx rcx, rax, r13
         adcx r9, rax
         adox r10, rcx
         mulx rcx, rax, r14
         adcx r10, rax
         adox r11, rcx
         mulx r12, rax, r15
         adcx r11, rax
         mov eax, 0
         adox r12, rax
         adcx r12, rax
         imul r12, r12, 38
         add r8, r12
         adc r9, 0
         adc r10, 0
         adc r11, 0
         sbb eax, eax
         and eax, 38
         add r8, rax"
    };
}

/// A row of a product: r8 + `$at` up to r8 + `$at` + 4 gain a times the word of b.
macro_rules! row {
    ($word:literal, $r0:literal, $r1:literal, $r2:literal, $r3:literal, $r4:literal) => {
        concat!(
            "mov rdx, [rdi + ",
            $word,
            "]\n",
            // Clears both flags.
            "xor ",
            $r4,
            "d, ",
            $r4,
            "d\n",
            "mulx rcx, rax, [rsi]\n",
            "adcx ",
            $r0,
            ", rax\n adox ",
            $r1,
            ", rcx\n",
            "mulx rcx, rax, [rsi + 8]\n",
            "adcx ",
            $r1,
            ", rax\n adox ",
            $r2,
            ", rcx\n",
            "mulx rcx, rax, [rsi + 16]\n",
            "adcx ",
            $r2,
            ", rax\n adox ",
            $r3,
            ", rcx\n",
            "mulx rcx, rax, [rsi + 24]\n",
            "adcx ",
            $r3,
            ", rax\n adox ",
            $r4,
            ", rcx\n",
            "mov eax, 0\n",
            "adcx ",
            $r4,
            ", rax\n",
        )
    };
}

/// a b.
#[inline(always)]
pub(super) fn mul(_: Adx, a: &Words, b: &Words) -> Words {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: the witness proves the instructions; four words are read behind each pointer, and nothing is written but
    // the registers named.
    unsafe {
        asm!(
            "mov rdx, [rdi]",
            "mulx r9, r8, [rsi]",
            "mulx r10, rax, [rsi + 8]",
            "add r9, rax",
            "mulx r11, rax, [rsi + 16]",
            "adc r10, rax",
            "mulx r12, rax, [rsi + 24]",
            "adc r11, rax",
            "adc r12, 0",
            row!("8", "r9", "r10", "r11", "r12", "r13"),
            row!("16", "r10", "r11", "r12", "r13", "r14"),
            row!("24", "r11", "r12", "r13", "r14", "r15"),
            fold!(),
            in("rsi") a, in("rdi") b,
            out("rax") _, out("rcx") _, out("rdx") _,
            out("r8") r0, out("r9") r1, out("r10") r2, out("r11") r3,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            options(pure, readonly, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// a^2: the products of different words once, doubled while the squares are added.
#[inline(always)]
pub(super) fn square(_: Adx, a: &Words) -> Words {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: as in `mul`.
    unsafe {
        asm!(
            "mov rdx, [rsi]",
            "mulx r10, r9, [rsi + 8]",
            "mulx r11, rax, [rsi + 16]",
            "add r10, rax",
            "mulx r12, rax, [rsi + 24]",
            "adc r11, rax",
            "adc r12, 0",
            "mov rdx, [rsi + 8]",
            "xor r14d, r14d",
            "mulx rcx, rax, [rsi + 16]",
            "adcx r11, rax",
            "adox r12, rcx",
            "mulx r13, rax, [rsi + 24]",
            "adcx r12, rax",
            "adox r13, r14",
            "mov rdx, [rsi + 16]",
            "mulx r15, rax, [rsi + 24]",
            "adcx r13, rax",
            "adcx r14, r15",
            // Twice that, and the squares.
            "xor r15d, r15d",
            "mov rdx, [rsi]",
            "mulx rcx, r8, rdx",
            "adcx r9, r9",
            "adox r9, rcx",
            "mov rdx, [rsi + 8]",
            "mulx rcx, rax, rdx",
            "adcx r10, r10",
            "adox r10, rax",
            "adcx r11, r11",
            "adox r11, rcx",
            "mov rdx, [rsi + 16]",
            "mulx rcx, rax, rdx",
            "adcx r12, r12",
            "adox r12, rax",
            "adcx r13, r13",
            "adox r13, rcx",
            "mov rdx, [rsi + 24]",
            "mulx rcx, rax, rdx",
            "adcx r14, r14",
            "adox r14, rax",
            "adcx r15, r15",
            "adox r15, rcx",
            fold!(),
            in("rsi") a,
            out("rax") _, out("rcx") _, out("rdx") _,
            out("r8") r0, out("r9") r1, out("r10") r2, out("r11") r3,
            out("r12") _, out("r13") _, out("r14") _, out("r15") _,
            options(pure, readonly, nostack)
        );
    }
    [r0, r1, r2, r3]
}

/// a + b.
#[inline(always)]
pub(super) fn add(a: &Words, b: &Words) -> Words {
    let mut r = [0; 4];
    let mut carry = 0;
    for i in 0..4 {
        carry = _addcarry_u64(carry, a[i], b[i], &mut r[i]);
    }
    // A carry is 38. If adding that carries again, what is left is below 38, and the lowest word takes 38 more.
    carry = _addcarry_u64(0, r[0], 38 & 0u64.wrapping_sub(carry.into()), &mut r[0]);
    for word in &mut r[1..] {
        carry = _addcarry_u64(carry, *word, 0, word);
    }
    r[0] += 38 & 0u64.wrapping_sub(carry.into());
    r
}

/// a - b.
#[inline(always)]
pub(super) fn sub(a: &Words, b: &Words) -> Words {
    let mut r = [0; 4];
    let mut borrow = 0;
    for i in 0..4 {
        borrow = _subborrow_u64(borrow, a[i], b[i], &mut r[i]);
    }
    // A borrow is -38. If taking that borrows again, what is left is above 2^256 - 38, and the lowest word gives 38
    // more.
    borrow = _subborrow_u64(0, r[0], 38 & 0u64.wrapping_sub(borrow.into()), &mut r[0]);
    for word in &mut r[1..] {
        borrow = _subborrow_u64(borrow, *word, 0, word);
    }
    r[0] -= 38 & 0u64.wrapping_sub(borrow.into());
    r
}
