/*
 * Prints the mean time of tb_probe_root in nanoseconds: the least of five passes over the positions on standard input, which are as
 * in engine.c. A first pass maps or decodes the tables.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tbprobe.h>
#include <time.h>

struct asked {
    uint64_t b[8];
    unsigned rule50, castling, ep, turn;
};

int main(int argc, char **argv)
{
    static unsigned results[TB_MAX_MOVES];
    static struct asked all[1 << 17];
    size_t count = 0;
    double least = 1e30;

    if (!tb_init(argc > 1 ? argv[1] : ""))
        return 2;
    for (struct asked *a = all; count < sizeof(all) / sizeof(*all); a++, count++)
        if (scanf("%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
                  " %u %u %u %u",
                  &a->b[0], &a->b[1], &a->b[2], &a->b[3], &a->b[4], &a->b[5], &a->b[6], &a->b[7], &a->rule50,
                  &a->castling, &a->ep, &a->turn) != 12)
            break;
    for (int pass = 0; pass < 6; pass++) {
        struct timespec start, end;
        timespec_get(&start, TIME_UTC);
        for (struct asked *a = all; a < all + count; a++)
            if (tb_probe_root(a->b[0], a->b[1], a->b[2], a->b[3], a->b[4], a->b[5], a->b[6], a->b[7], a->rule50,
                              a->castling, a->ep, a->turn, results) == TB_RESULT_FAILED)
                return 1;
        timespec_get(&end, TIME_UTC);
        double ns = (end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
        if (pass > 0 && ns < least)
            least = ns;
    }
    printf("%.0f\n", least / (count ? (double)count : 1.0));
    tb_free();
    return 0;
}
