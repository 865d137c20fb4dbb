/*
 * Minimizes a PLA, from a file or the one below, and prints its cubes:
 *
 *     cc minimize.c $(pkg-config --cflags --libs cubebase_espresso) -o minimize && ./minimize [FILE [MILLISECONDS]]
 */
#include <cubebase/espresso.h>
#include <stdio.h>
#include <stdlib.h>

static const char median[] = ".i 3\n.o 1\n011 1\n101 1\n110 1\n111 1\n.e\n";

/* Shows the progress; a value other than 0 would cancel. */
static int show(void *data, const char *stage, uint64_t done, uint64_t total)
{
    fprintf((FILE *)data, "%s: %llu of %llu\n", stage, (unsigned long long)done, (unsigned long long)total);
    return 0;
}

/* The text of a file, and its length; NULL if it cannot be read. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, got = 0;

    while (file != NULL && (size == 0 || got == size)) {
        size = size ? 2 * size : 4096;
        text = (char *)realloc(text, size);
        if (text == NULL)
            break;
        got += fread(text + got, 1, size - got, file);
    }
    if (file != NULL)
        fclose(file);
    *length = got;
    return text;
}

int main(int argc, char **argv)
{
    size_t length = sizeof median - 1;
    char *text = argc > 1 ? read_file(argv[1], &length) : NULL;
    struct espresso_options options = espresso_default_options();
    struct espresso_pla *function = NULL, *cover = NULL;
    struct espresso_report report;
    struct espresso_sizes sizes;
    enum espresso_status status = ESPRESSO_STATUS_OK;
    char *row = NULL;

    if (argc > 1 && text == NULL) {
        fprintf(stderr, "error: cannot read %s\n", argv[1]);
        return 3;
    }
    options.milliseconds = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    options.progress = show;
    options.data = stderr;
    status = espresso_parse(text != NULL ? text : median, length, NULL, &function);
    if (status == ESPRESSO_STATUS_OK)
        status = espresso_minimize(function, &options, &cover, &report);
    if (status != ESPRESSO_STATUS_OK)
        fprintf(stderr, "error: %s\n", espresso_error_text(cover != NULL ? cover : function));
    sizes = espresso_get_sizes(cover);
    row = (char *)malloc(sizes.columns + 1);
    for (size_t number = 0; row != NULL && number < sizes.on; number++)
        if (espresso_cube(cover, 'f', number, row, sizes.columns + 1) == ESPRESSO_STATUS_OK)
            puts(row);
    if (status == ESPRESSO_STATUS_OK)
        printf("%zu cubes, no cover has fewer than %zu%s\n", report.cubes, report.lower_bound,
               report.cut_short ? "; cut short" : "");
    free(row);
    free(text);
    espresso_free(cover);
    espresso_free(function);
    return status == ESPRESSO_STATUS_OK ? 0 : 3;
}
