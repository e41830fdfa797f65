import { sql } from 'kysely'
import type { Db } from './database.ts'

/* A statement, run as it is written: allRows<Person>(db)`select …`. */

type Run<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>

export const allRows =
  <Row>(db: Db): Run<Row[]> =>
  async (text, ...values) =>
    (await sql<Row>(text, ...values).execute(db)).rows

export const firstRow =
  <Row>(db: Db): Run<Row | undefined> =>
  async (text, ...values) =>
    (await allRows<Row>(db)(text, ...values))[0]

/** For a statement that always has a row. */
export const oneRow =
  <Row>(db: Db): Run<Row> =>
  async (text, ...values) =>
    (await allRows<Row>(db)(text, ...values))[0] as Row

/** Of a statement with a single column. */
export const allValues =
  <Value>(db: Db): Run<Value[]> =>
  async (text, ...values) =>
    (await allRows<Record<string, Value>>(db)(text, ...values)).flatMap(row => Object.values(row))

export const firstValue =
  <Value>(db: Db): Run<Value | undefined> =>
  async (text, ...values) =>
    (await allValues<Value>(db)(text, ...values))[0]

/** Whether the statement finds or changes a row: `select from …`, or `… returning 1`. */
export const anyRow =
  (db: Db): Run<boolean> =>
  async (text, ...values) =>
    (await allRows(db)(text, ...values)).length > 0

export const run =
  (db: Db): Run<void> =>
  async (text, ...values) => {
    await allRows(db)(text, ...values)
  }
