import { operations } from '@afterglow/contract/operations'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { sizes } from '../fill/size.ts'
import { faultsOf, rowsExamined, wholeTablesRead } from './examine.ts'
import { askedLists } from './lists.ts'

const pageByNumber = `Limit  (cost=0.43..9.1 rows=51 width=90) (actual rows=51.00 loops=1)
  Buffers: shared hit=54
  ->  Index Scan Backward using photos_in_order on photos p  (cost=0.43..900.1 rows=9000 width=90) (actual rows=51.00 loops=1)
        Index Cond: ((event_id = 1) AND (sequence <= 4100))
        SubPlan 1
          ->  Index Only Scan using photo_likes_pkey on photo_likes l  (cost=0.4..4.4 rows=1 width=0) (actual rows=0.50 loops=52)
                Index Searches: 52`
const pageByOffset = `Limit  (cost=0.43..9.1 rows=51 width=90) (actual time=1.1..9.1 rows=51.00 loops=1)
  ->  Index Scan using photos_in_order on photos p  (cost=0.43..900.1 rows=9000 width=90) (actual time=0.0..8.0 rows=40051.00 loops=1)`
const whole = `Sort  (actual rows=51.00 loops=1)
  ->  Seq Scan on public.comments c  (cost=0.0..9.0 rows=1 width=9) (actual rows=20.00 loops=2)
        Filter: (photo_id = 7)
        Rows Removed by Filter: 90000
  ->  Seq Scan on events e  (cost=0.0..1.0 rows=1 width=9) (never executed)`
const plan = (text: string) => ({ query: 'select', plan: text })

test('the examiner counts every row that a scan looked at, once per look', () => {
  expect(rowsExamined(plan(pageByNumber))).toBe(51 + 26)
  expect(rowsExamined(plan(pageByOffset))).toBe(40_051)
  expect(rowsExamined(plan(whole))).toBe(2 * 90_020)
})

test('the examiner names a table read from end to end, unless that part of the plan was not needed', () => {
  expect(wholeTablesRead(plan(whole))).toEqual(['comments'])
})

test('a list is at fault if its last page walks there or it reads a big table, not if it calculates', () => {
  const big = new Set(['comments'])
  expect(faultsOf([plan(pageByNumber)], [plan(pageByNumber)], big)).toEqual([])
  expect(faultsOf([plan(pageByNumber)], [plan(pageByOffset)], big)).toEqual([
    'looks at 40051 rows for its last page, at 77 for its first',
  ])
  expect(faultsOf([plan(whole)], null, big)).toContain('reads the whole table comments')
  expect(faultsOf([plan(whole)], null, new Set(['messages']))).not.toContain('reads the whole table comments')
})

test('a list may walk through entries of its one index, but not through the rows they lead to', () => {
  const walk = (scan: string) => plan(pageByOffset.replace('Index Scan using photos_in_order', scan))
  const faults = (scan: string) => faultsOf([plan(pageByNumber)], [walk(scan)], new Set(), 'guests_in_order')
  expect(faults('Index Only Scan using guests_in_order')).toEqual([])
  expect(faults('Index Scan using guests_in_order')).toHaveLength(1)
  expect(faults('Index Only Scan using guests_user')).toHaveLength(1)
})

test('every list of the interface has a recorded plan', async () => {
  const db = { query: async () => ({ rows: [{ n: 1 }] }) } as unknown as Client
  const kept = new Set((await askedLists(db, sizes.small)).map(({ name }) => name.split('-')[0]))
  const lists = operations
    .filter(({ input }) => 'page' in ((input as { shape?: object }).shape ?? {}))
    .map(({ name }) => name)
  expect(lists.length).toBeGreaterThan(15)
  expect(lists.filter(name => !kept.has(name))).toEqual([])
})
