import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from './database.ts'
import { run } from './rows.ts'

/*
 * Pages of a list whose rows are numbered within their parent: numbers are taken under the parent's row lock, so they
 * are 1, 2, 3 … without holes, and rows commit together with the parent's last number. A deleted row leaves a gap.
 *
 * Guarantee: pageStart names the row that OFFSET would find, in the snapshot of the statement it is part of, even with
 * concurrent writers, because a gap is counted in the transaction that creates it. Price: a counter row for each block
 * of numbers in which something was deleted. A deep page reads those counters (at most one per 512 rows of the parent)
 * and scans at most 511 rows of one block, instead of every row before the page. The first page and a list without gaps
 * cost nothing extra. Measured: docs/decisions/deep-pages-of-a-gallery.md.
 */

const blockLength = 512

/** A list of one parent: `list` is a unique word that separates parents from different tables. */
export type NumberedList = { list: string; parentId: number }

/**
 * Counts the gap of a row that this transaction deletes. Exactly once per row: call it where the deletion is decided.
 */
export const leaveGap = (tx: Transaction, { list, parentId }: NumberedList, sequence: number) => run(tx)`
    insert into sequence_gaps (list, parent_id, block, gaps)
    values (${list}, ${parentId}, ${Math.floor((sequence - 1) / blockLength)}, 1)
    on conflict (list, parent_id, block) do update set gaps = sequence_gaps.gaps + 1`

/** Removes the gap of a row that this transaction restores. Exactly once per row, as above. */
export const fillGap = (tx: Transaction, { list, parentId }: NumberedList, sequence: number) => run(tx)`
    update sequence_gaps set gaps = gaps - 1
    where list = ${list} and parent_id = ${parentId} and block = ${Math.floor((sequence - 1) / blockLength)}`

export type PageStart = NumberedList & {
  /** The list's existing rows as `table where condition`, with an index on the condition and `sequence`. */
  rows: RawBuilder<unknown>
  offset: number
  /**
   * Sequences of existing rows that `rows` hides from this viewer, as a query; few, and found by an index of their own.
   */
  unseen?: RawBuilder<unknown> | undefined
}

/** Rows that a viewer may not see are gaps for them, as deleted rows are for everybody. */
const gapsOf = ({ list, parentId, unseen }: Pick<PageStart, 'list' | 'parentId' | 'unseen'>) => {
  const deleted = sql`select block, gaps from sequence_gaps where list = ${list} and parent_id = ${parentId}`
  if (!unseen) return sql`(${deleted}) gaps_of`
  return sql`(
    select block, sum(gaps)::bigint as gaps from (
      ${deleted} union all select (sequence - 1) / ${lit(blockLength)}, 1 from (${unseen}) unseen
    ) both_kinds group by block) gaps_of`
}

/**
 * The sequence of the row at `offset` (from 0) of a list in ascending order: the page is `sequence >= …` ordered by
 * `sequence`. Null past the end, which compares to no row.
 */
export const pageStart = ({ list, parentId, rows, offset, unseen }: PageStart): RawBuilder<number> => {
  if (offset === 0) return sql`0`
  const reached = sql`(block + 1) * ${lit(blockLength)} - gaps > ${offset}::bigint`
  // `place`: the row's number if the blocks from `wall` on had no gaps. If it lies behind the wall, the rest is
  // scanned.
  return sql`(
    with counted as (
      select block, (sum(gaps) over (order by block))::bigint as gaps from ${gapsOf({ list, parentId, unseen })}
    ), arrived as (
      select ${offset}::bigint + coalesce(max(gaps) filter (where not ${reached}), 0) as place,
        min(block) filter (where ${reached}) * ${lit(blockLength)} as wall
      from counted
    ), start as (select least(place, wall) as after, place - least(place, wall) as walk from arrived)
    select sequence from ${rows} and sequence > (select after from start)
      and sequence <= (select after from start) + ${lit(blockLength)}
    order by sequence offset (select walk from start) limit 1)`
}

/**
 * The same for a list in descending order: the page is `sequence <= …` in descending order. `last` is the parent's last
 * number, as an expression in the same statement.
 */
export const pageStartFromTop = ({
  list,
  parentId,
  rows,
  offset,
  unseen,
  last,
}: PageStart & { last: RawBuilder<unknown> }): RawBuilder<number> => {
  if (offset === 0) return sql`9223372036854775807`
  const reached = sql`last - block * ${lit(blockLength)} - gaps > ${offset}::bigint`
  return sql`(
    with parent as (select ${last} as last), counted as (
      select block, (sum(gaps) over (order by block desc))::bigint as gaps, last from ${gapsOf({ list, parentId, unseen })}, parent
    ), arrived as (
      select (select last from parent) - ${offset}::bigint - coalesce(max(gaps) filter (where not ${reached}), 0) as place,
        (max(block) filter (where ${reached}) + 1) * ${lit(blockLength)} as wall
      from counted
    ), walled as (
      select place, case when wall > (select last from parent) then (select last from parent) else wall end as wall
      from arrived
    ), start as (select greatest(place, wall) as upto, greatest(place, wall) - place as walk from walled)
    select sequence from ${rows} and sequence <= (select upto from start)
      and sequence > (select upto from start) - ${lit(blockLength)}
    order by sequence desc offset (select walk from start) limit 1)`
}

const fetched = [11, 16, 21, 26, 31, 41, 51, 76, 101]

/**
 * How many rows to fetch for a page of up to `limit` rows; discard the rest. It is a literal in the statement, so that
 * the plan for any page looks as cheap as one made for this page, and PostgreSQL keeps it: 0.2 to 0.3 ms less per page.
 * In steps, because each number makes a statement of its own.
 */
export const rowsToFetch = (limit: number): RawBuilder<number> => lit(fetched.find(count => count >= limit) ?? limit)

const lit = (value: number): RawBuilder<number> => sql.lit(value)
