import asyncApi3 from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' }
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { asyncapi } from './asyncapi.ts'
import { channelEvents } from './realtime.ts'

const document = asyncapi('https://party.example')

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document)

const refsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, each]) => (key === '$ref' ? [each as string] : refsIn(each)))

test("the document is valid by AsyncAPI 3.0's own schema", () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  const isValid = ajv.compile(asyncApi3)
  expect(isValid(document) ? null : isValid.errors).toBe(null)
  expect(isValid({ ...document, channels: { user: { messages: [] } } })).toBe(false)
})

test('every event of the channel stands in it, and nothing else but the first one', () => {
  const { messages } = document.components as { messages: object }
  expect(Object.keys(messages)).toEqual(['ready', ...Object.keys(channelEvents)])
  const { channels, operations } = document as {
    channels: { user: { messages: object } }
    operations: { tell: { messages: unknown[] } }
  }
  expect(Object.keys(channels.user.messages)).toEqual(Object.keys(messages))
  expect(operations.tell.messages).toHaveLength(Object.keys(messages).length)
})

test('every reference in it leads somewhere', () => {
  const refs = refsIn(document)
  expect(refs.length).toBeGreaterThan(80)
  for (const ref of refs) expect([ref, at(ref)]).toEqual([ref, expect.any(Object)])
})
