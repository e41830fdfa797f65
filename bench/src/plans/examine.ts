/** Makes PostgreSQL log the plan of every executed statement. */
export const explaining = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
}

/** A statement and its plan, as the text of EXPLAIN (ANALYZE, BUFFERS). */
export type Plan = { query: string; plan: string }

/** Rows examined by a plan's scans, filtered ones included. Index-only scans of `without` do not count. */
export const rowsExamined = ({ plan }: Plan, without?: string): number => {
  let rows = 0
  let loops = 1
  for (const line of plan.split('\n')) {
    const actual = /actual (?:time=\S+ )?rows=([\d.]+) loops=(\d+)/.exec(line)
    if (actual) {
      loops = Number(actual[2])
      if (
        / Scan /.test(line) &&
        !line.includes(`Index Only Scan using ${without} `) &&
        !/(Subquery|CTE|Function|Values|WorkTable|Bitmap Index) Scan/.test(line)
      )
        rows += Number(actual[1]) * loops
    }
    const removed = /Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(line)
    if (removed) rows += Number(removed[1]) * loops
  }
  return Math.round(rows)
}

/** Tables that a plan reads sequentially. */
export const wholeTablesRead = ({ plan }: Plan): string[] =>
  [...plan.matchAll(/Seq Scan on (?:\w+\.)?(\w+)[^\n]*/g)]
    .filter(([line]) => !/never executed/.test(line))
    .map(([, table = '']) => table)

/** A first page of 50 may examine this many rows: forty for each, as for a message with everybody who has seen it. */
const firstPageMost = 2000
/** A later page may examine this many more: the counters and the one block that page arithmetic reads. */
const laterPageMore = 800

/** Sentences about what is wrong with the plans of a list; empty if they keep its promises. */
export const faultsOf = (
  first: readonly Plan[],
  last: readonly Plan[] | null,
  bigTables: ReadonlySet<string>,
  walks?: string,
): string[] => {
  const faults: string[] = []
  const sum = (plans: readonly Plan[]) => plans.reduce((rows, plan) => rows + rowsExamined(plan, walks), 0)
  for (const table of new Set([...first, ...(last ?? [])].flatMap(wholeTablesRead))) {
    if (bigTables.has(table)) faults.push(`reads the whole table ${table}`)
  }
  if (sum(first) > firstPageMost) faults.push(`looks at ${sum(first)} rows for its first page`)
  if (last && sum(last) > sum(first) + laterPageMore)
    faults.push(`looks at ${sum(last)} rows for its last page, at ${sum(first)} for its first`)
  return faults
}
