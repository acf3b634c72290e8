/* Hash the rows of a table, make a Merkle tree of them, open a row, verify; another row is refused.
 * cc rescue.c $(pkg-config --cflags --libs phalanx) && ./a.out */
#include <phalanx.h>
#include <stdio.h>

enum { LOG2_ROWS = 4, ROWS = 1 << LOG2_ROWS, COLUMNS = 20, OPENED = 5, WORDS = PHALANX_RESCUE_DIGEST_WORDS };

int main(void) {
    const uint32_t function = PHALANX_RESCUE_FUNCTION_RP64_256;
    uint64_t table[ROWS][COLUMNS], leaves[ROWS * WORDS], root[WORDS], leaf[WORDS], path[LOG2_ROWS * WORDS];
    phalanx_words rows[ROWS];
    for (uint64_t row = 0; row < ROWS; row++) {
        for (uint64_t column = 0; column < COLUMNS; column++)
            table[row][column] = row * 1000 + column;
        rows[row] = (phalanx_words){table[row], COLUMNS};
    }
    /* A row becomes a leaf, side by side in the lanes. */
    phalanx_rescue_tree *tree = NULL;
    phalanx_status status = phalanx_rescue_hash_elements_many(function, leaves, rows, ROWS, 1);
    if (!status)
        status = phalanx_rescue_tree_new(&tree, function, leaves, ROWS, 1);
    if (!status)
        status = phalanx_rescue_tree_root(tree, root);
    if (!status)
        status = phalanx_rescue_tree_open(tree, leaf, path, OPENED);
    phalanx_rescue_tree_free(tree);

    /* What travels is the row and its path. The verifier has the root, and knows how large the table is. */
    if (!status)
        status = phalanx_rescue_hash_elements(function, leaf, table[OPENED], COLUMNS);
    if (!status)
        status = phalanx_rescue_tree_verify(function, root, LOG2_ROWS, OPENED, leaf, path, LOG2_ROWS);
    printf("row %d: %s\n", OPENED, phalanx_status_string(status));
    if (status)
        return 1;
    table[OPENED][0]++;
    status = phalanx_rescue_hash_elements(function, leaf, table[OPENED], COLUMNS);
    if (!status)
        status = phalanx_rescue_tree_verify(function, root, LOG2_ROWS, OPENED, leaf, path, LOG2_ROWS);
    printf("a changed row: %s\n", phalanx_status_string(status));
    return status != PHALANX_ERROR_RESCUE_WRONG_ROOT;
}
