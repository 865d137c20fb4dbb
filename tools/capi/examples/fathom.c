/*
 * An engine's calls of Fathom, unchanged; only the linked library differs. tbprobe.h and tbconfig.h are Fathom's own.
 *
 *     cc fathom.c -I FATHOM/src $(pkg-config --libs cubebase_fathom) -o fathom && ./fathom [PATH:PATH...]
 */
#include <stdio.h>
#include <tbprobe.h>

/* White: Kf6, Pe6; Black: Ke8. */
static const uint64_t f6 = UINT64_C(1) << 45, e6 = UINT64_C(1) << 44, e8 = UINT64_C(1) << 60;

static void print_square(unsigned square)
{
    printf("%c%c", 'a' + (int)(square & 7), '1' + (int)(square >> 3));
}

int main(int argc, char **argv)
{
    static struct TbRootMoves moves;

    if (!tb_init(argc > 1 ? argv[1] : "") || TB_LARGEST < 3) {
        fprintf(stderr, "error: no tables\n");
        return 3;
    }
    /* In the search: */
    unsigned wdl = tb_probe_wdl(f6 | e6, e8, f6 | e8, 0, 0, 0, 0, e6, 0, 0, 0, true);
    printf("White to move: %s\n", wdl == TB_WIN ? "win" : wdl == TB_DRAW ? "draw" : wdl == TB_LOSS ? "loss" : "?");

    /* At the root: */
    if (!tb_probe_root_wdl(f6 | e6, e8, f6 | e8, 0, 0, 0, 0, e6, 0, 0, 0, true, true, &moves)) {
        fprintf(stderr, "error: no ranks\n");
        return 3;
    }
    for (unsigned i = 0; i < moves.size; i++) {
        print_square(TB_MOVE_FROM(moves.moves[i].move));
        print_square(TB_MOVE_TO(moves.moves[i].move));
        printf(" %d\n", (int)moves.moves[i].tbRank);
    }
    tb_free();
    return 0;
}
