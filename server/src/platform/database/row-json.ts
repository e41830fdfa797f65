import { type Selectable, sql } from 'kysely'
import type { DB } from './schema.ts'

/* Rows that PostgreSQL writes as JSON, by the names of their columns: a page of them arrives as one value. */

type JsonOf<Value> = Value extends Date ? string : Value
export type RowJson<Table extends keyof DB, Column extends keyof Selectable<DB[Table]>> = {
  [Name in Column]: JsonOf<Selectable<DB[Table]>[Name]>
}

/** Columns of the row under this name. */
export const columnsOf = (row: string, columns: readonly string[]) =>
  sql.join(columns.map(column => sql.ref(`${row}.${column}`)))

/** A time in such a row as replies show it. */
export const timeOfJson = (time: string) => new Date(time).toISOString()
