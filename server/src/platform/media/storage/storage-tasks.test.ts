import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../../../test/app.ts'
import { storageTasks } from './storage-tasks.ts'

/** Runs a fortnight of nights and returns its log. */
const fortnight = async (everyDays: { sweep: number; reread: number }) => {
  const said: string[] = []
  const log = pino({}, { write: line => void said.push(JSON.parse(line).msg) })
  const tasks = storageTasks({
    db,
    storage,
    sources: [],
    fullSizes: { readOld: async () => {} },
    everyDays,
    signal: new AbortController().signal,
    log,
  })
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    for (let night = 0; night < 14; night++) {
      vi.setSystemTime(Date.UTC(2027, 5, 1 + night, 3, 17))
      await tasks.sweepStorage({})
      await tasks.scrubStorage({})
    }
  } finally {
    vi.useRealTimers()
  }
  const count = (words: RegExp) => said.filter(line => words.test(line)).length
  return { swept: count(/was swept/), reread: count(/was read/) }
}

const { db, storage } = await openTestApp()

test.each([
  { everyDays: { sweep: 1, reread: 1 }, nights: { swept: 14, reread: 14 } },
  { everyDays: { sweep: 7, reread: 2 }, nights: { swept: 2, reread: 7 } },
  { everyDays: { sweep: 0, reread: 0 }, nights: { swept: 0, reread: 0 } },
])('$nights.swept of 14 nights sweep and $nights.reread read again', async ({ everyDays, nights }) => {
  expect(await fortnight(everyDays)).toEqual(nights)
})
