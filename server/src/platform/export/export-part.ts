import type { Db } from '../database/database.ts'

/** One file of an export: everything of theirs that one table or a few hold, as rows of JSON. */
export type ExportPart = {
  /** Of the file, without its ending. */
  name: string
  /** The tables that it tells of. */
  tables: readonly string[]
  rows(db: Db, userId: number): AsyncIterable<object>
}

const rowsAtOnce = 1000

/** Rows in the order of their ids, read by pieces, so that neither a statement nor memory grows with them. */
export async function* inPieces<Row extends { id: number }>(
  read: (after: number, most: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await read(after, rowsAtOnce)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = last.id
  }
}

/** The same of a few rows that need no pieces. */
export async function* allOf<Row extends object>(rows: Promise<{ rows: Row[] }>): AsyncGenerator<Row> {
  yield* (await rows).rows
}
