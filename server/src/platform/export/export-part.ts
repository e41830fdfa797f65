import type { Db } from '../database/database.ts'

/** One file of an export: everything that one or a few tables hold of a person, as rows of JSON. */
export type ExportPart = {
  /** The file's name, without its extension. */
  name: string
  /** The tables it covers. */
  tables: readonly string[]
  rows(db: Db, userId: number): AsyncIterable<object> | Promise<readonly object[]>
}

const rowsAtOnce = 1000

/** Rows in the order of their IDs, read in chunks, so that neither a statement nor memory grows with their number. */
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
