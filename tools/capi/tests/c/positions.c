/*
 * Prints the outcome of each position on standard input, a line each; `status N` if there is none. Positions as in engine.c.
 */
#include <cubebase.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    struct cubebase_tables *tables;
    enum cubebase_outcome outcome;
    uint64_t b[8];
    unsigned rule50, castling, ep, turn;

    if (cubebase_embedded(&tables) != CUBEBASE_STATUS_OK || cubebase_preload(tables) != CUBEBASE_STATUS_OK)
        return 3;
    while (scanf("%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
                 " %u %u %u %u",
                 &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &rule50, &castling, &ep, &turn) == 12) {
        enum cubebase_status status = cubebase_probe(tables, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], rule50,
                                                     castling, ep, turn != 0, &outcome);
        if (status == CUBEBASE_STATUS_OK)
            printf("%d\n", (int)outcome);
        else
            printf("status %d\n", (int)status);
    }
    cubebase_close(tables);
    return 0;
}
