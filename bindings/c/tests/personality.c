/* Stands for another Rust library in the same program, of another Rust version: both define this. Linked with panic.c. */
int rust_eh_personality(void);

int rust_eh_personality(void) {
    return 0;
}
