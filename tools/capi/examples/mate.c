/*
 * Best play of both sides to mate, with Fathom's functions alone. Positions are FENs, one a line of standard input; of each, the board
 * and the side to move are read.
 *
 *     cc mate.c -I FATHOM/src $(pkg-config --libs cubebase_fathom) -o mate
 *     echo "8/8/8/8/8/2k5/1Q6/K7 b" | ./mate [PATH:PATH...]
 */
#include <stdio.h>
#include <string.h>
#include <tbprobe.h>

/* Kings to pawns, as in the arguments of Fathom's functions. */
static const char letters[] = "KQRBNP";

struct position {
    uint64_t colors[2]; /* White, Black */
    uint64_t roles[6];
    unsigned rule50, ep;
    bool white_to_move;
};

static bool read_fen(const char *fen, struct position *p)
{
    int rank = 7, file = 0;

    memset(p, 0, sizeof *p);
    for (; *fen && *fen != ' '; fen++) {
        const char *role = strchr(letters, *fen & ~0x20);

        if (*fen == '/') {
            rank--, file = 0;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else if (role && rank >= 0 && file < 8) {
            uint64_t square = UINT64_C(1) << (8 * rank + file++);
            p->roles[role - letters] |= square;
            p->colors[(*fen & 0x20) != 0] |= square;
        } else {
            return false;
        }
    }
    p->white_to_move = fen[0] == ' ' && fen[1] == 'w';
    return true;
}

/* Makes the move in a result of tb_probe_root. */
static void play(struct position *p, unsigned result)
{
    unsigned from = TB_GET_FROM(result), to = TB_GET_TO(result), promotes = TB_GET_PROMOTES(result);
    uint64_t origin = UINT64_C(1) << from, target = UINT64_C(1) << to, taken = target;
    bool is_pawn = (p->roles[5] & origin) != 0, is_capture = (p->colors[p->white_to_move] & target) != 0;
    int own = !p->white_to_move;

    if (TB_GET_EP(result))
        taken = p->white_to_move ? target >> 8 : target << 8;
    p->colors[!own] &= ~taken;
    p->colors[own] ^= origin | target;
    for (int role = 0; role < 6; role++) {
        p->roles[role] &= ~taken;
        if (p->roles[role] & origin)
            p->roles[role] ^= origin | target;
    }
    if (promotes) {
        p->roles[5] ^= target;
        p->roles[promotes] |= target; /* queen 1 to knight 4 */
    }
    p->rule50 = is_pawn || is_capture ? 0 : p->rule50 + 1;
    p->ep = is_pawn && (to == from + 16 || from == to + 16) ? (from + to) / 2 : 0;
    p->white_to_move = !p->white_to_move;
}

static unsigned best(const struct position *p)
{
    return tb_probe_root(p->colors[0], p->colors[1], p->roles[0], p->roles[1], p->roles[2], p->roles[3], p->roles[4],
                         p->roles[5], p->rule50, 0, p->ep, p->white_to_move, NULL);
}

int main(int argc, char **argv)
{
    char fen[128];
    struct position p;

    if (!tb_init(argc > 1 ? argv[1] : "") || TB_LARGEST < 3) {
        fprintf(stderr, "error: no tables\n");
        return 3;
    }
    while (fgets(fen, sizeof fen, stdin)) {
        unsigned plies = 0, result = TB_RESULT_FAILED;

        if (read_fen(fen, &p))
            for (; (result = best(&p)) != TB_RESULT_FAILED && result != TB_RESULT_CHECKMATE; plies++) {
                if (TB_GET_WDL(result) != TB_WIN && TB_GET_WDL(result) != TB_LOSS)
                    break;
                play(&p, result);
            }
        if (result == TB_RESULT_CHECKMATE)
            printf("mate after %u plies\n", plies);
        else
            printf("%s after %u plies\n", result == TB_RESULT_FAILED ? "no answer" : "a draw", plies);
    }
    tb_free();
    return 0;
}
