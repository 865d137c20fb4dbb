/*
 * The outcome of two positions, from the tables in the library or from those at a path:
 *
 *     cc probe.c $(pkg-config --cflags --libs cubebase) -o probe && ./probe [PATH]
 */
#include <cubebase.h>
#include <stdio.h>

static const uint64_t a1 = 1, b6 = UINT64_C(1) << 41, h8 = UINT64_C(1) << 63;

int main(int argc, char **argv)
{
    struct cubebase_tables *tables = NULL;
    enum cubebase_status status = argc > 1 ? cubebase_open(argv[1], &tables) : cubebase_embedded(&tables);
    char text[256];

    if (status != CUBEBASE_STATUS_OK) {
        cubebase_error_text(tables, text, sizeof text);
        fprintf(stderr, "error: %s\n", text);
        cubebase_close(tables);
        return 3;
    }
    printf("tables of up to %u men\n", cubebase_largest(tables));

    /* White: Ka1, Qb6; Black: Kh8; either side to move. */
    for (int white = 0; white < 2; white++) {
        enum cubebase_outcome outcome;

        status = cubebase_probe(tables, a1 | b6, h8, a1 | h8, b6, 0, 0, 0, 0, 0, 0, 0, white, &outcome);
        if (status != CUBEBASE_STATUS_OK) {
            cubebase_error_text(tables, text, sizeof text);
            fprintf(stderr, "error: %s\n", text);
            break;
        }
        printf("%s to move: %s\n", white ? "White" : "Black",
               outcome == CUBEBASE_OUTCOME_WIN ? "win" : outcome == CUBEBASE_OUTCOME_DRAW ? "draw" : "loss");
    }
    cubebase_close(tables);
    return status == CUBEBASE_STATUS_OK ? 0 : 3;
}
