/*
 * cubebase: win, draw or loss of chess endgames, from memory, without search.
 *
 * Functions that can fail return a status; `cubebase_error_text` says more. Link with the flags that
 * `pkg-config --libs cubebase` prints, with `--static` for the static library.
 *
 * Written by cbindgen from tools/capi/src: do not edit.
 */

#ifndef CUBEBASE_H
#define CUBEBASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 Whether a call did what it was asked, and if not, why. The numbers stay as they are; more may be added.
 */
enum cubebase_status {
  /*
   It did.
   */
  CUBEBASE_STATUS_OK = 0,
  /*
   A pointer is NULL that must not be.
   */
  CUBEBASE_STATUS_NULL_POINTER = 1,
  /*
   A file or a directory cannot be read.
   */
  CUBEBASE_STATUS_IO = 2,
  /*
   The file does not begin as a table or a bundle does.
   */
  CUBEBASE_STATUS_BAD_MAGIC = 3,
  /*
   The file is of a newer version of the format.
   */
  CUBEBASE_STATUS_UNSUPPORTED_VERSION = 4,
  /*
   The file contradicts itself: it was cut short or damaged.
   */
  CUBEBASE_STATUS_CORRUPT = 5,
  /*
   There is no table for the men on the board.
   */
  CUBEBASE_STATUS_MISSING_TABLE = 6,
  /*
   No table can answer: castling rights, a 50-move counter, too many men.
   */
  CUBEBASE_STATUS_UNSUPPORTED_POSITION = 7,
  /*
   The position cannot be, as far as this was looked at.
   */
  CUBEBASE_STATUS_ILLEGAL_POSITION = 8,
  /*
   Arguments that make no sense: a man of two colours, a side without its king, a square beyond h8.
   */
  CUBEBASE_STATUS_BAD_INPUT = 9,
  /*
   An error of the library itself: please report it.
   */
  CUBEBASE_STATUS_INTERNAL = 10,
  /*
   The file asks for more memory, or for more decoding at once, than is allowed.
   */
  CUBEBASE_STATUS_BUDGET_EXHAUSTED = 11,
};

/*
 The outcome of a position with best play, for the side to move, without the 50-move rule. The numbers are those of
 Fathom; 1 and 3 are left free for outcomes that the 50-move rule changes.
 */
enum cubebase_outcome {
  /*
   The side to move loses.
   */
  CUBEBASE_OUTCOME_LOSS = 0,
  /*
   Drawn.
   */
  CUBEBASE_OUTCOME_DRAW = 2,
  /*
   The side to move wins.
   */
  CUBEBASE_OUTCOME_WIN = 4,
};

/*
 Tables that have been opened.

 Any number of threads may use a handle at once in the functions that take it as `const`. `cubebase_add` and
 `cubebase_close` do not: the caller sees to it that no other call with the same handle runs meanwhile.
 */
struct cubebase_tables;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the library, as "1.2.3". The text is never freed.
 */
const char *cubebase_version(void);

/*
 Opens what is at `path`: a directory of .pcn files, a bundle or a single .pcn file. To open reads an index at most; a
 table is decoded when it is first asked. Files are mapped: replace them by renaming, do not write into them.

 `path` is in the system's encoding, on Windows in UTF-8. A handle is written to `tables` after a failure too, so that
 `cubebase_error_text` can tell what happened; it has no tables, and is closed as any other.

 # Safety
 `path` is NULL or text that ends with a zero, and `tables` is NULL or can be written.
 */
enum cubebase_status cubebase_open(const char *path,
                                   struct cubebase_tables **tables);

/*
 Opens a bundle or a .pcn file that is in memory. The bytes are copied: they may be freed after the call. A handle is
 written as by `cubebase_open`.

 # Safety
 `bytes` is NULL or `length` bytes that can be read, and `tables` is NULL or can be written.
 */
enum cubebase_status cubebase_open_memory(const uint8_t *bytes,
                                          size_t length,
                                          struct cubebase_tables **tables);

/*
 Opens the tables that are part of the library: all of up to four men. A handle is written as by `cubebase_open`.

 # Safety
 `tables` is NULL or can be written.
 */
enum cubebase_status cubebase_embedded(struct cubebase_tables **tables);

/*
 Adds what is at `path`, as `cubebase_open` takes it. Of men that there is a table for already, the one that is added
 answers. After a failure the tables are as before.

 # Safety
 `tables` is NULL or an open handle that no other thread uses meanwhile, and `path` is NULL or text that ends with a
 zero.
 */
enum cubebase_status cubebase_add(struct cubebase_tables *tables,
                                  const char *path);

/*
 Closes the tables and frees all that they hold. NULL is let pass.

 # Safety
 `tables` is NULL or an open handle that no other thread uses; it is not used again.
 */
void cubebase_close(struct cubebase_tables *tables);

/*
 Writes the outcome of a position for the side to move to `outcome`; after a failure `outcome` is as before.

 The arguments are those of Fathom. A bitboard has bit 0 for a1, 1 for b1, up to 63 for h8: `white` and `black` are the men
 of each colour, the others those of each kind. `rule50` is the 50-move counter and `castling` whatever castling rights
 there are; the tables know of neither, and a position is refused where one is not 0. `en_passant` is the square that a
 pawn has just passed by a double push, 0 for none. `turn` is 0 where Black is to move, and anything else where White is.

 The position is taken to be legal. An illegal one is refused or has some outcome.

 # Safety
 `tables` is NULL or an open handle, and `outcome` is NULL or can be written.
 */
enum cubebase_status cubebase_probe(const struct cubebase_tables *tables,
                                    uint64_t white,
                                    uint64_t black,
                                    uint64_t kings,
                                    uint64_t queens,
                                    uint64_t rooks,
                                    uint64_t bishops,
                                    uint64_t knights,
                                    uint64_t pawns,
                                    unsigned int rule50,
                                    unsigned int castling,
                                    unsigned int en_passant,
                                    uint8_t turn,
                                    enum cubebase_outcome *outcome);

/*
 Copies the text of the last call with these tables that failed in the calling thread into `buffer`, one line in UTF-8
 that ends with a zero, cut to `size` bytes. Returns how long the text is without the zero; 0 when there is none, and
 `buffer` is then empty text.

 Each thread sees its own errors alone, and a copy of them. What a call that succeeded finds is left there, so look at the
 status first. Texts are kept for the 64 threads that failed last.

 # Safety
 `tables` is NULL or an open handle, and `buffer` is NULL or `size` bytes that can be written.
 */
size_t cubebase_error_text(const struct cubebase_tables *tables,
                           char *buffer,
                           size_t size);

/*
 The men of the largest table, kings counted; 0 when there are no tables or `tables` is NULL.

 # Safety
 `tables` is NULL or an open handle.
 */
unsigned int cubebase_largest(const struct cubebase_tables *tables);

/*
 Decodes all tables, by as many threads as there are processors, so that no probe has to. Where one fails, the others are
 decoded all the same.

 # Safety
 `tables` is NULL or an open handle.
 */
enum cubebase_status cubebase_preload(const struct cubebase_tables *tables);

/*
 Writes what the tables hold: to `decoded` the bytes of memory of what has been decoded, to `files` those of the files of
 tables that have been asked. Either may be NULL.

 # Safety
 `tables` is NULL or an open handle; `decoded` and `files` are NULL or can be written.
 */
enum cubebase_status cubebase_memory(const struct cubebase_tables *tables,
                                     size_t *decoded,
                                     size_t *files);

/*
 Keeps what is decoded within `bytes`, from now on and as far as that can be: pages of large tables that were not asked
 lately are let go, and decoded again when they are asked.

 # Safety
 `tables` is NULL or an open handle.
 */
enum cubebase_status cubebase_set_cap(const struct cubebase_tables *tables,
                                      size_t bytes);

/*
 Decodes no more than `bytes` of code at once, from now on: a list, a tree, or a page of one. Of more the first probe fails
 with `CUBEBASE_STATUS_BUDGET_EXHAUSTED`. A byte costs up to ten microseconds, so that the limit bounds how long files of
 others can hold a thread; it is 1 MiB at first. The files that cubebase makes need 20 kB, but for lists.

 # Safety
 `tables` is NULL or an open handle.
 */
enum cubebase_status cubebase_set_decoding_limit(const struct cubebase_tables *tables,
                                                 size_t bytes);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CUBEBASE_H */
