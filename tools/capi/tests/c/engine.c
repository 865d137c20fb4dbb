/*
 * Prints the answers of Fathom's functions for each position on standard input, a line each. The output is the same with
 * Fathom's tbprobe.c as with the drop-in. It leaves out the move suggested in a draw, which may be any move that keeps it.
 *
 * A position is eight bitboards in hexadecimal, then the 50-move counter, castling rights, en-passant square and whether White
 * is to move, in decimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <tbprobe.h>

static void print_ranks(const char *name, int found, const struct TbRootMoves *moves)
{
    printf(" %s %d", name, found != 0);
    if (found)
        for (unsigned i = 0; i < moves->size; i++) {
            const struct TbRootMove *move = &moves->moves[i];
            printf(" %x:%d:%d", (unsigned)move->move, (int)move->tbRank, (int)move->tbScore);
        }
}

int main(int argc, char **argv)
{
    static struct TbRootMoves moves;
    static unsigned results[TB_MAX_MOVES];
    uint64_t b[8];
    unsigned rule50, castling, ep, turn;

    if (!tb_init(argc > 1 ? argv[1] : ""))
        printf("not all found\n");
    printf("largest %u\n", TB_LARGEST);
    while (scanf("%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
                 " %u %u %u %u",
                 &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &rule50, &castling, &ep, &turn) == 12) {
        printf("wdl %x", tb_probe_wdl(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], rule50, castling, ep, turn));
        if (argc > 2) {
            int found = tb_probe_root_wdl(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], rule50, castling, ep, turn,
                                          true, &moves);
            print_ranks("ranks", found, &moves);
            for (int repeated = 0; repeated < 2; repeated++)
                for (int counted = 0; counted < 2; counted++) {
                    found = tb_probe_root_dtz(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], rule50, castling, ep,
                                              turn, repeated, counted, &moves);
                    print_ranks("distances", found, &moves);
                }
            unsigned root = tb_probe_root(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], rule50, castling, ep, turn,
                                          results);
            unsigned is_listed = 0;
            if (root != TB_RESULT_FAILED)
                for (unsigned i = 0; results[i] != TB_RESULT_FAILED; i++) {
                    printf(" %x", results[i]);
                    is_listed |= results[i] == root;
                }
            if (root != TB_RESULT_FAILED && TB_GET_WDL(root) == TB_DRAW && is_listed)
                printf(" root draws");
            else
                printf(" root %x", root);
        }
        printf("\n");
    }
    tb_free();
    return TB_LARGEST == 0 ? 0 : 1;
}
