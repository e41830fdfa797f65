import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Size } from '../fill/size.ts'
import { startService } from '../service.ts'
import { explaining, faultsOf, type Plan, rowsExamined } from './examine.ts'
import { type AskedList, askedLists } from './lists.ts'

const length = 50
const bigTableRows = 2000
/** From its sixth run on, a prepared statement may get a generic plan: examine that one. */
const runsBefore = 7

/**
 * Writes to `folder` the real plans of every list's statements on its first and last page, and returns the faults per
 * list. PostgreSQL itself explains the statements that the service sends.
 */
export const writePlans = async (dataDir: string, size: Size, folder: string): Promise<Map<string, string[]>> => {
  const { lists, big } = await prepare(dataDir, size)
  const service = await startService(dataDir)
  const log = join(dataDir, 'postgres', 'postgres.log')
  const faults = new Map<string, string[]>()
  mkdirSync(folder, { recursive: true })
  try {
    for (const list of lists) {
      const first = await plansOf(service.port, list, 1, log)
      const last = list.rows ? await plansOf(service.port, list, Math.floor(list.rows / length), log) : null
      writeFileSync(join(folder, `${list.name}.txt`), textOf(list, first, last))
      const found = faultsOf(first, last, big, list.walks)
      if (found.length) faults.set(list.name, found)
    }
  } finally {
    await service.stop()
  }
  return faults
}

/**
 * Determines the requests, and makes PostgreSQL explain everything from the next connection on. The data belongs to
 * this run.
 */
const prepare = async (dataDir: string, size: Size) => {
  const service = await startService(dataDir)
  const db = new pg.Client({ connectionString: service.databaseUrl })
  await db.connect()
  const lists = await askedLists(db, size)
  const { rows } = await db.query(`select relname from pg_class where relkind = 'r' and reltuples > ${bigTableRows}`)
  for (const [name, value] of Object.entries(explaining))
    await db.query(`alter database postgres set ${name} = '${value}'`)
  await db.end()
  await service.stop()
  return { lists, big: new Set<string>(rows.map(({ relname }) => relname)) }
}

const plansOf = async (port: number, { path, token }: AskedList, page: number, log: string): Promise<Plan[]> => {
  const address = `http://127.0.0.1:${port}${path}${path.includes('?') ? '&' : '?'}page_length=${length}`
  const ask = async (n: number) => {
    // An ignored parameter defeats any cached reply.
    const reply = await fetch(`${address}&n=${n}&page=${page}`, { headers: { Authorization: `Bearer ${token}` } })
    if (reply.status !== 200) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
    await reply.text()
  }
  for (let n = 0; n < runsBefore; n++) await ask(n)
  const from = statSync(log).size
  await ask(runsBefore)
  return plansIn(readFileSync(log).subarray(from).toString())
}

/** The plans in a log, except those of the session lookup, which every request has. */
const plansIn = (log: string): Plan[] =>
  log
    .split(/^(?=\S)/m)
    .filter(entry => entry.includes(' plan:\n'))
    .map(entry => {
      const text = entry.slice(entry.indexOf(' plan:\n') + 7).replaceAll(/^\t/gm, '')
      const start = text.search(/^\S.*\(cost=/m)
      return { query: text.slice(0, start).replace('Query Text: ', '').trim(), plan: text.slice(start).trimEnd() }
    })
    .filter(({ query }) => !query.includes('from devices d join users'))

const textOf = ({ name, path }: AskedList, first: readonly Plan[], last: readonly Plan[] | null): string => {
  const part = (title: string, plans: readonly Plan[]) => [
    `==== ${title}: ${plans.length} statements, ${plans.reduce((rows, plan) => rows + rowsExamined(plan), 0)} rows looked at`,
    ...plans.map(({ query, plan }) => `${query}\n\n${plan}\n`),
  ]
  return `${[`${name}: GET ${path}`, '', ...part('first page', first), ...(last ? part('last page', last) : [])].join('\n')}\n`
}
