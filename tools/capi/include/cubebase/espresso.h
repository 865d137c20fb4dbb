/*
 * Two-level logic minimization: functions as PLAs, truth tables, equations, KISS2 or BLIF, minimized covers as cubes or text.
 *
 * A call that can fail returns a status. A call that makes a handle makes one even after a failure, for
 * `espresso_error_text`. Link with the flags that `pkg-config --libs cubebase_espresso` prints, with `--static` for the
 * static library.
 *
 * Written by cbindgen from tools/capi/espresso/src: do not edit.
 */

#ifndef CUBEBASE_ESPRESSO_H
#define CUBEBASE_ESPRESSO_H

#include <stddef.h>
#include <stdint.h>

/*
 The result of a call: success, or the reason of the failure. The numbers do not change; more may be added.
 */
enum espresso_status {
  /*
   Success.
   */
  ESPRESSO_STATUS_OK = 0,
  /*
   A pointer that must not be NULL is NULL.
   */
  ESPRESSO_STATUS_NULL_POINTER = 1,
  /*
   The text is invalid in its format; the error text mostly has the line and the column.
   */
  ESPRESSO_STATUS_SYNTAX = 2,
  /*
   A format, an option or a size is not supported, or memory is too small.
   */
  ESPRESSO_STATUS_UNSUPPORTED = 3,
  /*
   The rows contradict each other: a minterm is ON and OFF.
   */
  ESPRESSO_STATUS_INCONSISTENT = 4,
  /*
   There is no such set or cube, or the buffer is too small.
   */
  ESPRESSO_STATUS_OUT_OF_RANGE = 5,
  /*
   The callback cancelled the work.
   */
  ESPRESSO_STATUS_CANCELLED = 6,
  /*
   The time limit ended before there was a cover.
   */
  ESPRESSO_STATUS_OUT_OF_TIME = 7,
  /*
   A bug in the library: please report it.
   */
  ESPRESSO_STATUS_INTERNAL = 8,
};

/*
 A function as read, or a minimized cover, or the text of an error. A handle does not change, so any number of threads may
 use it at the same time.
 */
struct espresso_pla;

/*
 Options of `espresso_minimize`. Begin with `espresso_default_options`.
 */
struct espresso_options {
  /*
   How hard to try, from 1 (quickest) to 4 (fewest cubes). The default is 2.
   */
  uint32_t effort;
  /*
   Unless 0, search for a minimum cover and prove that it is one. If a limit ends the search, the result is the best
   cover so far, and the lower bound may be 0, for none.
   */
  uint32_t exact;
  /*
   Threads to use, at most 1024; 0, the default, means one for each processor. The result is the same for any number.
   */
  uint32_t threads;
  /*
   Whether to compare the result with the function: 0 no, 1 unless it takes more than some seconds (the default),
   2 however long it takes. Other values are refused.
   */
  uint32_t check;
  /*
   Limit on the cubes tested, after which the result is the best cover so far; 0, the default, means no limit, or built-in
   limits if the OFF-set has too many cubes to list. With the same budget the result is the same on every machine.
   */
  uint64_t budget;
  /*
   Limit on the time of the call, after which the result is the best cover so far; 0, the default, means no limit.
   */
  uint64_t milliseconds;
  /*
   NULL, or a function that is called up to 20 times a second: by any thread, but by one at a time. It gets `data`, the
   name of a stage such as "expand", the finished units of the stage, and all its units or 0 if unknown. If it does not
   return 0, the work is cancelled. It must return: no exception of C++ and no `longjmp` may leave it.
   */
  int (*progress)(void *data, const char *stage, uint64_t done, uint64_t total);
  /*
   Passed to `progress`.
   */
  void *data;
};

/*
 The size of a minimized cover, its bound, and whether limits cut its search short.
 */
struct espresso_report {
  /*
   Cubes of the cover.
   */
  size_t cubes;
  /*
   Literals of the cover: of inputs, and of outputs.
   */
  size_t literals;
  /*
   No cover of the function has fewer cubes; 0 if no bound is known.
   */
  size_t lower_bound;
  /*
   1 if a limit on work or time ended the minimization, or a built-in limit made a step end early, otherwise 0.
   */
  uint32_t cut_short;
  /*
   1 if the cover was checked, 0 if the check was not wanted or took too long. A wrong cover is never returned after
   a check.
   */
  uint32_t checked;
  /*
   1 if the OFF-set had too many cubes to list, so that some steps were left out, otherwise 0.
   */
  uint32_t without_off_set;
};

/*
 The sizes of a function or a cover.
 */
struct espresso_sizes {
  /*
   Inputs of two values. They come first.
   */
  size_t binary_inputs;
  /*
   All inputs; `espresso_parts` has the number of values of each.
   */
  size_t inputs;
  /*
   Outputs.
   */
  size_t outputs;
  /*
   Columns of a row of `espresso_cube`, without the zero at its end.
   */
  size_t columns;
  /*
   Cubes of the ON-set.
   */
  size_t on;
  /*
   Cubes of the DC-set, as far as it was read.
   */
  size_t dc;
  /*
   Cubes of the OFF-set, as far as it was read.
   */
  size_t off;
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the library, as "1.2.3". The text is never freed.
 */
const char *espresso_version(void);

/*
 Reads a function from `length` bytes of text, which may be freed after the call.

 `format` is "pla", "truth-table", "equations", "kiss2" or "blif", as in the options of the command; NULL means "pla". Without
 `.type`, a PLA has type fd. Where the command would ignore lines of a PLA with a warning, it is a syntax error here. Equations and BLIF are
 multiplied out, which may take exponential time and memory, and no option limits it.

 After any failure, a handle is also written to `function`, unless that is NULL, for `espresso_error_text`; it must be freed
 like any other.

 # Safety
 `text` is NULL or points to `length` bytes, `format` is NULL or text that ends with a zero, and `function` is NULL or
 valid for writing.
 */
enum espresso_status espresso_parse(const char *text,
                                    size_t length,
                                    const char *format,
                                    struct espresso_pla **function);

/*
 The default options.
 */
struct espresso_options espresso_default_options(void);

/*
 Minimizes a function. Writes the cover, of type f, to `cover`, and a report on it to `report`, unless that is NULL.

 `options` may be NULL, for the defaults. The same function and options without `milliseconds` give the same cover. After any
 failure, a handle with the error text is written to `cover`, unless that is NULL, and `report` is unchanged. If `function` is
 the handle of an error, that error is the result. The call starts its own threads, and they have ended when it returns.

 # Safety
 `function` is NULL or a handle, `options` NULL or options, `cover` and `report` NULL or valid for writing. The
 callback of the options may be called by other threads during the call.
 */
enum espresso_status espresso_minimize(const struct espresso_pla *function,
                                       const struct espresso_options *options,
                                       struct espresso_pla **cover,
                                       struct espresso_report *report);

/*
 The sizes of a function or a cover; all are 0 for NULL, and for a handle of an error.

 # Safety
 `handle` is NULL or a handle.
 */
struct espresso_sizes espresso_get_sizes(const struct espresso_pla *handle);

/*
 The number of values of an input; 0 if there is no such input.

 # Safety
 `handle` is NULL or a handle.
 */
size_t espresso_parts(const struct espresso_pla *handle, size_t input);

/*
 Writes a cube to `row`, as text without blanks that ends with a zero. A binary input is `0`, `1` or `-`. A value of another
 input is `1` if the cube allows it, otherwise `0`. An output is `1` if the cube belongs to it, otherwise `0`.

 `set` is 'f' for the ON-set, 'd' for the DC-set or 'r' for the OFF-set, and `number` counts its cubes from 0. `size` is the
 size of `row`, at least one more than the columns. After a failure, `row` is unchanged, and there is no error text, except
 that of `handle` if it is the handle of an error.

 # Safety
 `handle` is NULL or a handle, and `row` is NULL or valid for writing `size` bytes.
 */
enum espresso_status espresso_cube(const struct espresso_pla *handle,
                                   char set,
                                   size_t number,
                                   char *row,
                                   size_t size);

/*
 Writes a function or a cover as text that ends with a zero, cut to `size` bytes, to `buffer`, and the length of the whole
 text without the zero to `length`. To learn the length, call it with NULL and 0.

 `format` is one of the command's output formats: "f", "fd", "fr", "fdr" and so on for a PLA with these sets, "eqntott",
 "kiss", "verilog", "blif" or "json"; NULL means "f". A PLA is only written with sets that it was read with. After any
 failure, the text of the error is written; if `handle` is the handle of an error, that error is the failure.

 # Safety
 `handle` is NULL or a handle, `format` NULL or text that ends with a zero, `buffer` NULL or valid for writing `size` bytes,
 and `length` NULL or valid for writing.
 */
enum espresso_status espresso_write(const struct espresso_pla *handle,
                                    const char *format,
                                    char *buffer,
                                    size_t size,
                                    size_t *length);

/*
 The text of the error that made this handle; empty if there was none. It is valid until the handle is freed.

 # Safety
 `handle` is NULL or a handle.
 */
const char *espresso_error_text(const struct espresso_pla *handle);

/*
 Frees a handle. NULL is ignored.

 # Safety
 `handle` is NULL or a handle that no other thread uses; it must not be used again.
 */
void espresso_free(struct espresso_pla *handle);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CUBEBASE_ESPRESSO_H */
