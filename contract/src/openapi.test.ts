import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openapi } from './openapi.ts'
import { operations } from './operations.ts'
import { streams } from './streams.ts'

const document = openapi('http://127.0.0.1:3000')

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('every address of every operation stands in it, under an operationId of its own', () => {
  const paths = document.paths as Record<string, Record<string, { operationId: string }>>
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      address: `${method.toUpperCase()} ${path}`,
      operationId,
    })),
  )
  const addresses = [...operations.flatMap(({ at }) => at), ...streams.map(({ at }) => at)]
  const stated = addresses.map(([method, path]) => `${method} /${path}`)
  expect(described.map(({ address }) => address).sort()).toEqual(stated.sort())
  expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(described.length)
})

test('operations share a name with nothing else, and a refusal has one text in each of them', () => {
  const all = [...operations, ...streams]
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { refusals } of all) {
    const replies = Object.values(refusals).map(refusal => JSON.stringify(refusal))
    expect(new Set(replies).size).toBe(replies.length)
  }
})
