import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import { openapi } from './openapi.ts'
import { openapi30 } from './openapi-30.ts'
import { operations } from './operations.ts'
import { anyCodes } from './refusal-codes.ts'
import { streams } from './streams.ts'

/** Without the types of everything that may be configured, which take the compiler longer than any other line here. */
const configOf = createConfig as unknown as (raw: object) => ReturnType<typeof createConfig>

const document = openapi('https://party.example')
const twin = openapi30(document)

type Examples = Record<string, { replies: Record<string, unknown>; refusals: Record<string, unknown> }>
const examples: Examples = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8'))

describe.each([
  ['3.1', document],
  ['3.0.3', twin],
])('the document in OpenAPI %s', (_, each) => {
  test('is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(each))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('leaves nothing to say for the recommended rules of Redocly', async () => {
    const config = await configOf({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(each), config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
  }, 300_000)

  test('leaves nothing to say for the recommended rules of Spectral', { tags: 'slow', timeout: 300_000 }, async () => {
    const linter = new spectral.Spectral()
    linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] } as never)
    const problems = await linter.run(JSON.stringify(each))
    expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([])
  })
})

test('every address of every operation stands in it, under an operationId of its own, without numbers', () => {
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
  expect(described.filter(({ operationId }) => !/^[a-z][A-Za-z]+$/.test(operationId))).toEqual([])
})

test('a summary has at most six words, and the description begins with the sentence', () => {
  const all = Object.values(document.paths as Record<string, Record<string, { summary: string; description: string }>>)
  for (const { summary, description } of all.flatMap(methods => Object.values(methods))) {
    expect(summary).toMatch(/^[A-Z][a-z]*(?: [a-z]+){0,5}$/)
    expect(description).toMatch(/^[^.]+\S.*\. At most \d+ requests/)
  }
})

test('operations share a name with nothing else, and a refusal has one text in each of them', () => {
  const all = [...operations, ...streams]
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { refusals } of all) {
    const replies = Object.values(refusals).map(refusal => JSON.stringify(refusal))
    expect(new Set(replies).size).toBe(replies.length)
  }
})

test('every property and parameter has a description: contract/src/descriptions.ts', () => {
  const missing: string[] = []
  const walk = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { properties, in: place, name, description } = value as Record<string, unknown>
    for (const [field, property] of Object.entries(properties ?? {}))
      if (!property.description) missing.push(`${where}/${field}`)
    if (place && !description) missing.push(`${where} ${name}`)
    for (const [key, each] of Object.entries(value)) walk(each, `${where}/${key}`)
  }
  walk({ ...document, info: undefined }, '')
  expect(missing).toEqual([])
})

describe('the examples, taken off the wire by `npm run examples`,', () => {
  test('are of replies that the contract has as it is now', () => {
    for (const { name, reply } of operations)
      for (const [status, body] of Object.entries(examples[name]?.replies ?? {}))
        expect([name, status, reply.safeParse(body).error]).toEqual([name, status, undefined])
  })

  test('show a body for every operation that takes one: server/test/story.test.ts sends most', () => {
    type Documented = Record<
      string,
      Record<string, { requestBody?: { content: Record<string, { examples?: object }> } }>
    >
    const bodiless = operations.filter(({ at: [first] }) => {
      const [method = '', path] = first ?? []
      const content = (document.paths as Documented)[`/${path}`]?.[method.toLowerCase()]?.requestBody?.content
      return Object.values(content ?? {}).some(({ examples }) => !examples)
    })
    expect(bodiless.map(({ name }) => name)).toEqual([])
  })

  test('show what every operation answers', () => {
    expect(operations.filter(({ name }) => !examples[name]?.replies[200]).map(({ name }) => name)).toEqual([])
  })

  // Undocumented refusals fail the test file in which they occur: see server/test/recorder.ts.
  test('show every code of every operation, and none that the contract does not know', () => {
    const general = new Set<string>(anyCodes)
    const met = new Set<string>()
    for (const { name, refusals } of [...operations, ...streams]) {
      const seen = Object.keys(examples[name]?.refusals ?? {})
      for (const code of seen) met.add(code)
      expect([name, Object.keys(refusals).filter(code => !seen.includes(code))]).toEqual([name, []])
      expect([name, seen.filter(code => !(code in refusals) && !general.has(code))]).toEqual([name, []])
    }
    expect([...general].filter(code => !met.has(code))).toEqual([])
  })
})
