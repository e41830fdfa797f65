import { searchPeople } from '../../../server/src/people/search-store.ts'
import { openDatabase } from '../../../server/src/platform/database/database.ts'
import { httpSide } from '../ceiling.ts'
import type { Duel, Side } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import { httpRequest } from '../http-request.ts'
import type { RowGroup } from '../row-group.ts'
import type { Instance, Stage } from '../stage.ts'
import { oneOf, quantile } from '../statistics.ts'

const connections = 4
/** Of the first four hundred people, who have friends; none is suspended. */
const viewers = Array.from({ length: 200 }, (_, n) => 101 + n)

/** Looking for people by name, as one types: the first letters of a name, or of two. */
export const people: RowGroup = {
  ids: ['P30', 'P30.sql', 'P30.sql-p99', 'P30.million', 'P30.million-sql', 'P30.million-sql-p99'],
  async *duels(stage) {
    yield* searching(stage, stage.large, 'P30')
    if (stage.million) yield* searching(stage, stage.million, 'P30.million')
  },
}

async function* searching(stage: Stage, many: Instance, id: string): AsyncIterable<Duel> {
  const counted = (at: Instance) => `${at.size.users.toLocaleString('en').replaceAll(',', ' ')} people`
  const typed = await namesTyped(stage, many)
  const reads = async (at: Instance, names: string[]) => {
    const requests = viewers.map(viewer => {
      const path = `/api/user/mention/search?name=${encodeURIComponent(oneOf(names, stage.random))}&page_length=20&page=1`
      return httpRequest('GET', path, { token: tokenOf(viewer) })
    })
    return httpSide({ port: at.service.port, connections, next: () => oneOf(requests, stage.random) }, at.service)
  }
  yield {
    goals: [
      {
        id,
        work: `search by name among ${counted(many)}, p50`,
        ceiling: `among ${counted(stage.small)}`,
        figure: 'p50',
        floor: 1.3,
        aim: 1.1,
        cpuDecides: true,
      },
    ],
    ceiling: await reads(stage.small, await namesTyped(stage, stage.small)),
    ours: await reads(many, typed),
  }
  const statements = openStatements(many, typed, stage.random)
  yield {
    goals: [
      {
        id: `${id}.sql`.replace('million.', 'million-'),
        work: `its SQL, p50, ${counted(many)}`,
        ceiling: null,
        figure: 'p50',
        floor: 1,
      },
      {
        id: `${id}.sql-p99`.replace('million.', 'million-'),
        work: `its SQL, p99, ${counted(many)}`,
        ceiling: null,
        figure: 'p99',
        floor: 8,
        aim: 4,
      },
    ],
    ceiling: null,
    ...statements,
  }
}

/** Beginnings of names that people in this database bear. */
const namesTyped = async ({ random }: Stage, { db, size }: Instance): Promise<string[]> => {
  const ids = Array.from({ length: 200 }, () => 1 + Math.floor(random() * size.users))
  const { rows } = await db.query('select first_name, last_name from users where id = any ($1)', [ids])
  return rows.map(({ first_name: first, last_name: last }, n) => {
    const letters = 2 + (n % 4)
    return n % 3 ? [...first].slice(0, letters).join('') : `${first} ${[...last].slice(0, letters).join('')}`
  })
}

/** The search without HTTP, one after the other on a connection of the bench's own. */
const openStatements = (
  { service }: Instance,
  names: string[],
  random: () => number,
): { ours: Side; end(): Promise<void> } => {
  const db = openDatabase(service.databaseUrl, { connections: 1 })
  const ours: Side = {
    async run(seconds) {
      const durations: number[] = []
      for (const endsAt = performance.now() + seconds * 1000; performance.now() < endsAt; ) {
        const began = performance.now()
        await searchPeople(db, oneOf(viewers, random), oneOf(names, random), { offset: 0, limit: 21 })
        durations.push(performance.now() - began)
      }
      return { p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) }
    },
  }
  return { ours, end: () => db.destroy() }
}
