/*
 * cubebase: win, draw or loss of chess endgames, from memory, without search.
 *
 * Functions that can fail return a status; `cubebase_error_text` says more. Link with the flags that
 * `pkg-config --libs cubebase` prints. For the static library, name the file libcubebase.a in place of -lcubebase,
 * or link the whole program statically with the flags of `pkg-config --static --libs cubebase`.
 *
 * Written by cbindgen from tools/capi/src: do not edit.
 */

#ifndef CUBEBASE_H
#define CUBEBASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 The result of a call: success, or the reason of the failure. The numbers do not change; more may be added.
 */
enum cubebase_status {
  /*
   Success.
   */
  CUBEBASE_STATUS_OK = 0,
  /*
   A pointer that must not be NULL is NULL.
   */
  CUBEBASE_STATUS_NULL_POINTER = 1,
  /*
   A file or a directory cannot be read.
   */
  CUBEBASE_STATUS_IO = 2,
  /*
   The file does not begin with the magic bytes of a table or a bundle.
   */
  CUBEBASE_STATUS_BAD_MAGIC = 3,
  /*
   The file has a newer version of the format.
   */
  CUBEBASE_STATUS_UNSUPPORTED_VERSION = 4,
  /*
   The file is corrupt: it was cut short or damaged, or its distances are of another table.
   */
  CUBEBASE_STATUS_CORRUPT = 5,
  /*
   There is no table for the men on the board.
   */
  CUBEBASE_STATUS_MISSING_TABLE = 6,
  /*
   No table can answer: a 50-move counter, too many men.
   */
  CUBEBASE_STATUS_UNSUPPORTED_POSITION = 7,
  /*
   The position is illegal, as far as that was checked.
   */
  CUBEBASE_STATUS_ILLEGAL_POSITION = 8,
  /*
   Invalid arguments: a man without exactly one colour and one kind, a side without exactly one king, a
   square beyond h8, castling rights above 15.
   */
  CUBEBASE_STATUS_BAD_INPUT = 9,
  /*
   A bug in the library: please report it.
   */
  CUBEBASE_STATUS_INTERNAL = 10,
  /*
   The file asks for more memory, or for more decoding at once, than is allowed.
   */
  CUBEBASE_STATUS_BUDGET_EXHAUSTED = 11,
  /*
   The position has castling rights, and the table for its men has none.
   */
  CUBEBASE_STATUS_MISSING_RIGHTS = 12,
};

/*
 The outcome of a position with best play, for the side to move. The numbers are those of Fathom. `cubebase_probe` ignores the
 50-move rule and writes only loss, draw and win.
 */
enum cubebase_outcome {
  /*
   The side to move loses.
   */
  CUBEBASE_OUTCOME_LOSS = 0,
  /*
   A loss that the 50-move rule makes a draw.
   */
  CUBEBASE_OUTCOME_BLESSED_LOSS = 1,
  /*
   The game is drawn.
   */
  CUBEBASE_OUTCOME_DRAW = 2,
  /*
   A win that the 50-move rule makes a draw.
   */
  CUBEBASE_OUTCOME_CURSED_WIN = 3,
  /*
   The side to move wins.
   */
  CUBEBASE_OUTCOME_WIN = 4,
};

/*
 Opened tables.

 Any number of threads may call functions that take the handle as `const` at the same time. `cubebase_add` and
 `cubebase_close` must not run at the same time as another call with the same handle: the caller ensures that.
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
 Opens the tables at `path`: a directory of .pcn files, a bundle or a single .pcn file. Of a directory it reads only the names,
 and of a bundle only the index. A single file is checked, and its covers are decoded. Everything else is read and decoded at
 its first probe. Replace files by renaming, and never write into them.

 A directory without tables is no failure: `cubebase_largest` is then 0.

 `path` is in the system's encoding, on Windows in UTF-8. After a failure, a handle is also written to `tables`, for
 `cubebase_error_text`; it has no tables, and must be closed like any other.

 # Safety
 `path` is NULL or text that ends with a zero, and `tables` is NULL or valid for writing.
 */
enum cubebase_status cubebase_open(const char *path,
                                   struct cubebase_tables **tables);

/*
 Opens a bundle or a .pcn file in memory. The bytes are copied and may be freed after the call. A handle is written as
 by `cubebase_open`.

 # Safety
 `bytes` is NULL or points to `length` bytes, and `tables` is NULL or valid for writing.
 */
enum cubebase_status cubebase_open_memory(const uint8_t *bytes,
                                          size_t length,
                                          struct cubebase_tables **tables);

/*
 Opens the tables that are built into the library: all of up to four men. A handle is written as by `cubebase_open`.

 # Safety
 `tables` is NULL or valid for writing.
 */
enum cubebase_status cubebase_embedded(struct cubebase_tables **tables);

/*
 Adds the tables at `path`, as `cubebase_open` opens them. An added table replaces an earlier one for the same men.
 After a failure the tables are unchanged.

 # Safety
 `tables` is NULL or an open handle that no other thread uses during the call, and `path` is NULL or text that ends with
 a zero.
 */
enum cubebase_status cubebase_add(struct cubebase_tables *tables,
                                  const char *path);

/*
 Closes the tables and frees their memory. NULL is ignored.

 # Safety
 `tables` is NULL or an open handle that no other thread uses; it must not be used again.
 */
void cubebase_close(struct cubebase_tables *tables);

/*
 Writes the outcome of a position for the side to move to `outcome`; after a failure `outcome` is unchanged.

 The arguments are those of Fathom. A bitboard has bit 0 for a1, 1 for b1, up to 63 for h8. `white` and `black` are the men
 of each colour, the other bitboards the men of each kind. `rule50` is the 50-move counter: a position with another counter
 than 0 is refused. `castling` is the sum of the castling rights: 1 for White's on the king's side, 2 for White's on the
 queen's side, 4 and 8 for Black's. The built-in tables have castling rights. With a table that has none, a position with
 rights fails with `CUBEBASE_STATUS_MISSING_RIGHTS`. `en_passant` is the square that a pawn has just passed by
 a double push, 0 for none. `turn` is 0 if Black is to move, and anything else if White is.

 The position must be legal. An illegal one gets a failure or some outcome. Without castling rights and an en passant
 square, three rules are not checked: the side not to move is not in check, the kings are not on neighbouring squares, and
 no pawn is on the first or last rank.

 A failure writes a text, under a lock, and takes longer than an answer: in a search, compare the number of men with
 `cubebase_largest` and `rule50` with 0 before the call.

 # Safety
 `tables` is NULL or an open handle, and `outcome` is NULL or valid for writing.
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
 Writes the distance to zeroing of a position to `dtz` and the outcome under the 50-move rule to `outcome`, both for the side
 to move. Either may be NULL. After a failure both are unchanged.

 The distance is Syzygy's, but exact: the plies to the next capture or pawn move, that move included, or to mate, with best
 play of both sides. It is negative for a loss, -1 for mate and 0 for a draw. The counter `rule50` makes no difference to it,
 only to the outcome: a win or a loss holds if distance and counter are at most 100 in sum, and otherwise is a cursed win or a
 blessed loss. A mate on the board is a loss with any counter.

 The other arguments are those of `cubebase_probe`; here all rules of legality are checked. Without a distance the call fails
 with `CUBEBASE_STATUS_MISSING_TABLE`. A lost position takes about ten times as long as a won one: its distance is computed
 from the positions after its moves.

 # Safety
 `tables` is NULL or an open handle; `outcome` and `dtz` are NULL or valid for writing.
 */
enum cubebase_status cubebase_dtz(const struct cubebase_tables *tables,
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
                                  enum cubebase_outcome *outcome,
                                  int *dtz);

/*
 Writes to `move` the move to play in a won position by a ranking (`KQvK.rank.pcn`), in UCI notation with a zero at the end: at
 most 6 bytes. It is empty text if no table says that the position is won under the 50-move rule from a counter of zero, or if
 there is no ranking of its material and no move mates or zeroes.

 Who plays these moves from a counter of zero mates or zeroes, with a capture or a pawn move that keeps the win, within 50
 moves. Some milliseconds.

 The other arguments are those of `cubebase_probe`, without castling rights; here all rules of legality are checked.

 # Safety
 `tables` is NULL or an open handle; `move` is NULL or valid for writing 6 bytes.
 */
enum cubebase_status cubebase_plan(const struct cubebase_tables *tables,
                                   uint64_t white,
                                   uint64_t black,
                                   uint64_t kings,
                                   uint64_t queens,
                                   uint64_t rooks,
                                   uint64_t bishops,
                                   uint64_t knights,
                                   uint64_t pawns,
                                   unsigned int en_passant,
                                   uint8_t turn,
                                   char *move);

/*
 Copies the text of the last error with these tables in the calling thread into `buffer`: one line in UTF-8 that ends with
 a zero, cut to `size` bytes. Returns the length of the whole text without the zero; 0 if there is none, and then `buffer`
 is empty text.

 Each thread only sees its own errors. A successful call leaves the text of an earlier error, so check the status first.
 Texts are kept for the 64 threads that failed last.

 # Safety
 `tables` is NULL or an open handle, and `buffer` is NULL or valid for writing `size` bytes.
 */
size_t cubebase_error_text(const struct cubebase_tables *tables,
                           char *buffer,
                           size_t size);

/*
 The number of men of the largest table, including kings; 0 if there are no tables or `tables` is NULL.

 # Safety
 `tables` is NULL or an open handle.
 */
unsigned int cubebase_largest(const struct cubebase_tables *tables);

/*
 Decodes all tables in advance, with one thread for each processor. If one fails, the others are still decoded.

 # Safety
 `tables` is NULL or an open handle.
 */
enum cubebase_status cubebase_preload(const struct cubebase_tables *tables);

/*
 Writes sizes in bytes: to `decoded` the memory of decoded data, to `files` the files of tables that have been probed.
 Either may be NULL.

 # Safety
 `tables` is NULL or an open handle; `decoded` and `files` are NULL or valid for writing.
 */
enum cubebase_status cubebase_memory(const struct cubebase_tables *tables,
                                     size_t *decoded,
                                     size_t *files);

/*
 Sets the limit, from now on, on the bytes of code decoded at once: the covers of a table, a tree, or a page of a tree. Beyond
 the limit, the first probe fails with `CUBEBASE_STATUS_BUDGET_EXHAUSTED`. Adding a single file of covers fails likewise: set
 the limit before. A byte costs up to ten microseconds, so the limit bounds the time for which an untrusted file can hold a
 thread in a probe. The default is 1 MiB. Trees of outcomes need up to 20 KiB, trees of distances up to 144 KiB; covers can
 need more.

 # Safety
 `tables` is NULL or an open handle.
 */
enum cubebase_status cubebase_set_decoding_limit(const struct cubebase_tables *tables,
                                                 size_t bytes);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CUBEBASE_H */
