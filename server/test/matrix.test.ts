import { existsSync } from 'node:fs'
import { operations } from '@afterglow/contract/operations'
import { expect, test } from 'vitest'
import { rows } from './matrix.ts'
import { folders, operationsOf } from './matrix-of.ts'

test('every operation has a row', () => {
  expect(rows.map(({ operation }) => operation)).toEqual(expect.arrayContaining(operations.map(({ name }) => name)))
})

test('every row names an operation', () => {
  const names = operations.map(({ name }) => name)
  expect(rows.map(({ operation }) => operation).filter(name => !names.includes(name))).toEqual([])
})

test('the rows of every slice are tried in the folder that serves it', () => {
  expect(folders.flatMap(operationsOf)).toHaveLength(operations.length)
  for (const folder of folders)
    expect(existsSync(new URL(`../src/${folder}/matrix.test.ts`, import.meta.url)), folder).toBe(true)
})
