import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.ts'
import { hourMs, rankOf, ringsFrom, waitsForRing } from './ring-budget.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca']
const minute = 60_000
// Around both clock changes, and anywhere in a year.
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 2, 7), max: Date.UTC(2026, 3, 6) }),
  fc.integer({ min: Date.UTC(2026, 9, 1), max: Date.UTC(2026, 10, 3) }),
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
)
const timeOfDay = fc.integer({ min: 0, max: 1439 })

test('quiet hours end within a day and an hour, at their time, and are over then', () => {
  fc.assert(
    fc.property(moment, timeOfDay, timeOfDay, fc.constantFrom(...zones), (now, from, until, zone) => {
      fc.pre(from !== until)
      const end = quietUntil({ from, until }, zone, now)
      if (end === undefined) return
      expect(end).toBeGreaterThan(now)
      expect(end - now).toBeLessThanOrEqual(25 * hourMs)
      // A time that occurs twice is quiet once more; quiet hours ending in a skipped time end after the change.
      expect(end % minute).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('quiet hours over midnight on the nights when clocks change', () => {
  const night = { from: 22 * 60, until: 7 * 60 }
  const at = (iso: string) => quietUntil(night, 'Europe/Berlin', Date.parse(iso))
  expect(at('2026-03-28T22:30:00Z')).toBe(Date.parse('2026-03-29T05:00:00Z'))
  expect(at('2026-10-24T21:30:00Z')).toBe(Date.parse('2026-10-25T06:00:00Z'))
  expect(at('2026-06-01T12:00:00Z')).toBeUndefined()
})

const kinds = ['mention', 'message_reply', 'message', 'photo_comment', 'photo_like'] as const

test('over random evenings nobody is rung more often than they chose, and what is theirs rings within its hour', () => {
  const act = fc.record({ afterMs: fc.integer({ min: 0, max: 12 * minute }), kind: fc.constantFrom(...kinds) })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120 }), fc.integer({ min: 1, max: 12 }), (acts, perHour) => {
      const rungAt: number[] = []
      const rung: { id: number; at: number }[] = []
      const waiting: { id: number; kind: (typeof kinds)[number]; at: number }[] = []
      let now = Date.UTC(2026, 5, 21, 20)
      const ring = (id: number, kind: (typeof kinds)[number], at: number): number | undefined => {
        const others = waiting.filter(one => one.id !== id).length
        const from = ringsFrom({ perHour, rungAt, waiting: others }, { kind }, at)
        if (from === undefined) {
          rungAt.push(at)
          rung.push({ id, at })
        }
        return from ?? undefined
      }
      const wake = (until: number) => {
        for (;;) {
          const next = waiting.toSorted((a, b) => a.at - b.at || rankOf(a.kind) - rankOf(b.kind) || a.id - b.id)[0]
          if (!next || next.at > until) return
          const again = ring(next.id, next.kind, next.at)
          if (again === undefined) waiting.splice(waiting.indexOf(next), 1)
          else {
            expect(again).toBeGreaterThan(next.at)
            next.at = again
          }
        }
      }
      const cameAt = acts.map(({ afterMs, kind }, id) => {
        now += afterMs
        wake(now)
        const from = ring(id, kind, now)
        if (from !== undefined && waitsForRing(kind)) waiting.push({ id, kind, at: from })
        return now
      })
      wake(Number.POSITIVE_INFINITY)
      const sorted = rungAt.toSorted((a, b) => a - b)
      for (const [at, first] of sorted.entries())
        expect((sorted[at + perHour] ?? Number.POSITIVE_INFINITY) - first).toBeGreaterThanOrEqual(hourMs)
      // Everything that concerns the person rings exactly once; nothing rings twice.
      const own = acts.flatMap(({ kind }, id) => (waitsForRing(kind) ? id : []))
      const times = Map.groupBy(rung, ({ id }) => id)
      expect(own.filter(id => times.get(id)?.length !== 1)).toEqual([])
      expect([...times.values()].filter(each => each.length > 1)).toEqual([])
      // Only notifications of their own rank keep them waiting longer than the hour in which the first ring was used.
      for (const id of own) {
        const waited = (times.get(id)?.[0]?.at ?? 0) - (cameAt[id] ?? 0)
        expect(waited).toBeLessThanOrEqual(Math.ceil(own.length / perHour) * hourMs)
      }
    }),
    { numRuns: 300 },
  )
})

test('a budget of none rings nothing', () => {
  expect(ringsFrom({ perHour: 0, rungAt: [], waiting: 0 }, { kind: 'mention' }, 0)).toBeNull()
})

const now = Date.UTC(2026, 5, 21, 20)
const minutesAgo = (minutes: number) => now - minutes * minute

test('strangers ring once an hour, all together, and whom one knows rings nevertheless', () => {
  const budget = { perHour: 6, rungAt: [minutesAgo(10)], waiting: 0, strangerRungAt: minutesAgo(10) }
  expect(ringsFrom(budget, { kind: 'friend_request', fromStranger: true }, now)).toBe(minutesAgo(10) + hourMs)
  expect(ringsFrom(budget, { kind: 'friend_request' }, now)).toBeUndefined()
  expect(ringsFrom(budget, { kind: 'mention' }, now)).toBeUndefined()
  const later = minutesAgo(10) + hourMs
  expect(ringsFrom(budget, { kind: 'invitation', fromStranger: true }, later)).toBeUndefined()
})

test('an announcement rings whatever has rung before', () => {
  const used = { perHour: 2, rungAt: [minutesAgo(1), minutesAgo(2)], waiting: 3 }
  expect(ringsFrom(used, { kind: 'mention' }, now)).toBe(minutesAgo(2) + hourMs)
  expect(ringsFrom(used, { kind: 'announcement' }, now)).toBeUndefined()
  expect(ringsFrom({ ...used, perHour: 0 }, { kind: 'announcement' }, now)).toBeUndefined()
})

test('no source rings more than a third of an hour’s rings, however important, and friends still ring', () => {
  const names = 'link 7 of 3'
  const spent = { perHour: 6, rungAt: [minutesAgo(20), minutesAgo(10)], rungBy: [names, names], waiting: 0 }
  expect(ringsFrom(spent, { kind: 'mention', source: names }, now)).toBe(minutesAgo(20) + hourMs)
  expect(ringsFrom(spent, { kind: 'mention', source: 'user 4' }, now)).toBeUndefined()
  expect(ringsFrom(spent, { kind: 'reminder', source: null }, now)).toBeUndefined()
  expect(ringsFrom(spent, { kind: 'announcement', source: names }, now)).toBeUndefined()
  expect(
    ringsFrom({ ...spent, perHour: 1, rungAt: [], rungBy: [] }, { kind: 'mention', source: names }, now),
  ).toBeUndefined()
})
