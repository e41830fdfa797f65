import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { asyncapi } from '../contract/src/asyncapi.ts'
import { openapi } from '../contract/src/openapi.ts'
import { interfaceVersion } from '../contract/src/version.ts'
import { bare, breakingDifferences, corrected } from './breaking-differences.ts'

type Json = { [key: string]: unknown }
const releasedOf = async (name: string): Promise<Json> =>
  JSON.parse(await readFile(join(import.meta.dirname, `../contract/released/${name}.json`), 'utf8'))
const document = bare(openapi('https://party.example')) as Json
const released = await releasedOf('openapi')

test('version 1 stays compatible: nothing is removed or changed', () => {
  expect(breakingDifferences(released, document).filter(each => !corrected.includes(each))).toEqual([])
})

test('additions after a release, on the channel too, raise X-Interface by one', async () => {
  const releasedChannel = await releasedOf('asyncapi')
  const changed = [
    [released, document],
    [releasedChannel, bare(asyncapi('https://party.example')) as Json],
  ].some(([{ info: _, ...then } = {}, { info: __, ...now } = {}]) => !isDeepStrictEqual(then, now))
  const minorOf = (version: unknown) => Number(/^1\.(\d+)$/.exec(String(version))?.[1])
  const before = (released.info as Json).version
  expect(releasedChannel.info).toEqual({ version: before })
  expect(minorOf(interfaceVersion)).toBe(minorOf(before) + Number(changed))
})

const at = (path: string, of: Json): Json =>
  path.split(' ').reduce<unknown>((value, key) => (value as Json)[key], of) as Json

test.each<[string, (later: Json) => void, string]>([
  ['an operation', of => delete at('paths', of)['/api/account'], 'GET /api/account is gone'],
  ['a field', of => delete at('components schemas Account properties', of).user_status, '.user_status is gone'],
  [
    'a type',
    of => Object.assign(at('components schemas Account properties user_status', of), { type: 'string' }),
    'is string in place of integer',
  ],
  [
    'a null',
    of => Object.assign(at('components schemas Account properties user_last_name', of), { type: ['string', 'null'] }),
    'is string or null',
  ],
  [
    'a closed shape',
    of => Object.assign(at('components schemas Account properties', of), { user_age: { type: 'integer' } }),
    'user_age is new in a closed shape',
  ],
  [
    'a needed field',
    of =>
      Object.assign(at('paths /api/account/authenticate post requestBody content application/json schema', of), {
        required: ['user_captcha'],
      }),
    'user_captcha is needed now',
  ],
  [
    'a bound',
    of =>
      Object.assign(
        at('paths /api/account/authenticate post requestBody content application/json schema properties device_id', of),
        { maxLength: 10 },
      ),
    'has a stricter maxLength',
  ],
  [
    'a code',
    of => delete at('paths /api/message post responses 404 content text/plain examples', of).noSuchChat,
    'does not refuse as noSuchChat any more',
  ],
  ['a status', of => delete at('paths /api/gallery/comment post responses', of)[201], 'does not answer 201 any more'],
  [
    'a name',
    of => Object.assign(at('paths /api/account get', of), { operationId: 'getAccount' }),
    'is called getAccount',
  ],
])('a changed %s is found', (_, change, said) => {
  const later = structuredClone(document)
  change(later)
  expect(breakingDifferences(document, later).join('\n')).toContain(said)
})

test.each<[string, (later: Json) => void]>([
  ['an operation', of => Object.assign(at('paths', of), { '/api/new': { get: {} } })],
  ['a parameter', of => Object.assign(at('paths /api/account get', of), { parameters: [{ in: 'query', name: 'x' }] })],
  [
    'a key of extra',
    of => Object.assign(at('components schemas Message properties extra properties', of), { mood: { type: 'string' } }),
  ],
  [
    'a field that need not be sent',
    of =>
      Object.assign(
        at('paths /api/account/authenticate post requestBody content application/json schema properties', of),
        { mood: { type: 'string' } },
      ),
  ],
])('an added %s breaks nothing', (_, change) => {
  const later = structuredClone(document)
  change(later)
  expect(breakingDifferences(document, later)).toEqual([])
})
