import { connect } from 'node:net'
import { operations } from '@afterglow/contract/operations'
import type { Route } from '@afterglow/contract/route'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const authorization = `Bearer ${olivia.token}`

const send = async (method: string, path: string, body?: BodyInit, type = 'application/json') => {
  const headers = { authorization, ...(body !== undefined && { 'content-type': type }) }
  const reply = await fetch(`${app.url}/${path}`, { method, headers, ...(body !== undefined && { body }) })
  return { status: reply.status, body: await reply.text() }
}
const settings = (body: BodyInit, type?: string) => send('POST', 'api/account/settings/update', body, type)
const says = (error_message: string) => ({ status: 400, body: JSON.stringify({ error_message }) })

describe('a JSON body', () => {
  test.each([
    ['{"a":', 'The body is not valid JSON.'],
    [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 'The body is not valid UTF-8.'],
    ['[]', 'The body must be a JSON object.'],
    ['"text"', 'The body must be a JSON object.'],
    ['7', 'The body must be a JSON object.'],
    ['['.repeat(60_000), 'The body is not valid JSON.'],
    [`{"a":"${'x'.repeat(70_000)}"}`, 'The body is too large.'],
  ])('with invalid content is refused: %.12s', async (body, sentence) => {
    expect(await settings(body as BodyInit)).toEqual(says(sentence))
  })

  test('nested as deep as fits does no harm', async () => {
    const depth = 30_000
    const deep = `{"user_setting_mute_notification":true,"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await settings(deep)).status).toBe(200)
  })

  test.each([
    '\uFEFF{"user_setting_mute_notification":true}',
    '{"user_setting_mute_notification":false,"user_setting_mute_notification":true}',
    '{"__proto__":{"admin":true},"constructor":1,"user_status":3,"user_setting_mute_notification":true}',
  ])('with oddities is read literally, and unknown fields change nothing: %s', async body => {
    const reply = await settings(body)
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.body)).toMatchObject({
      user_status: 2,
      user_settings: { user_setting_mute_notification: true },
    })
  })

  test('may also arrive as a form or urlencoded', async () => {
    const form = new FormData()
    form.append('user_setting_mute_notification', '0')
    const reply = await fetch(`${app.url}/api/account/settings/update`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    expect(reply.status).toBe(200)
    expect((await settings('user_setting_mute_notification=1', 'application/x-www-form-urlencoded')).status).toBe(200)
  })

  test('of an unknown type is refused by name', async () => {
    expect(await settings('<a/>', 'text/xml')).toEqual(says('The content type of the body is not supported.'))
  })
})

describe('a multipart body', () => {
  const type = 'multipart/form-data; boundary=x'
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const nameless = (disposition: string) => `--x\r\nContent-Disposition: ${disposition}\r\n\r\n1\r\n--x--\r\n`

  test.each([
    ['without a boundary', part('a', '1'), 'multipart/form-data', 'The multipart form has no valid boundary.'],
    ['without an end', part('a', '1'), type, 'The multipart form is malformed.'],
    ['that is empty', '', type, 'The multipart form is malformed.'],
    ['of 2 000 parts', `${part('a', '1').repeat(2000)}--x--\r\n`, type, 'The form has too many parts.'],
    ['of 10 000 parts', `${part('a', '1').repeat(10_000)}--x--\r\n`, type, 'The body is too large.'],
    ['with a part that has no name', nameless('form-data'), type, 'A part of the form has no name.'],
    ['with a file that has no name', nameless('form-data; filename="a.jpg"'), type, 'A part of the form has no name.'],
    ['with a field of a megabyte', `${part('a', 'x'.repeat(1_048_576))}--x--\r\n`, type, 'The body is too large.'],
  ])('%s is refused', async (_, body, contentType, sentence) => {
    expect(await settings(body, contentType)).toEqual(says(sentence))
  })

  test.each([
    ['one field too long', [['message_content', 300]], 'The text of the form is too long.'],
    [
      'many that are too long together',
      Array.from({ length: 5 }, (_, at) => [`f${at}`, 60]),
      'The text of the form is too long.',
    ],
  ] as [string, [string, number][], string][])('beside files with %s is refused', async (_, fields, sentence) => {
    const body = fields.map(([name, kibibytes]) => part(name, 'x'.repeat(kibibytes * 1024))).join('')
    expect(await send('POST', 'api/message', `${body}--x--\r\n`, type)).toEqual(says(sentence))
  })

  test.each(['constructor', '__proto__', 'toString'])('with a file called %s is refused', async name => {
    const disposition = `Content-Disposition: form-data; name="${name}"; filename="a.jpg"`
    const body = `--x\r\n${disposition}\r\n\r\nbytes\r\n${part('message_content', 'hi')}--x--\r\n`
    expect(await send('POST', 'api/message', body, type)).toEqual(
      says(`The form has a file under a name that is not taken: ${name}`),
    )
  })
})

describe('pages', () => {
  test.each([
    ['', { page: ['The page field is required.'], page_length: ['The page length field is required.'] }],
    ['page=0&page_length=1', { page: ['The page field must be at least 1.'] }],
    ['page=-1&page_length=1', { page: ['The page field must be at least 1.'] }],
    [
      'page=abc&page_length=',
      { page: ['The page field must be an integer.'], page_length: ['The page length field is required.'] },
    ],
    ['page[]=1&page_length=1', { page: ['The page field must be an integer.'] }],
    ['page=%00&page_length=1', { page: ['The page field must be an integer.'] }],
  ])('?%s is refused', async (query, body) => {
    expect(await send('GET', `api/account/device/list?${query}`)).toEqual({ status: 400, body: JSON.stringify(body) })
  })

  test('beyond the end and of any length are empty', async () => {
    const reply = await send('GET', 'api/account/device/list?page_length=1000000000&x=1&page=9007199254740991')
    const at = `${app.url}/api/account/device/list`
    expect(JSON.parse(reply.body)).toEqual({
      current_page: 9007199254740991,
      data: [],
      first_page_url: `${at}?page_length=1000000000&x=1&page=1`,
      from: null,
      next_page_url: null,
      path: at,
      per_page: '100',
      prev_page_url: `${at}?page_length=1000000000&x=1&page=9007199254740990`,
      to: null,
    })
  })
})

test.each([
  ['{"a":', 'application/json'],
  ['[]', 'application/json'],
  ['x'.repeat(300_000), 'application/json'],
  ['{}', 'text/csv'],
  ['{}', 'no type at all'],
])('a body on an operation without fields is ignored: %.12s as %s', async (body, type) => {
  expect((await send('PUT', 'api/realtime/ping', body, type)).status).toBe(200)
})

test.each(['0', '-1', '9007199254740993', '9223372036854775807'])('an invalid id %s is not found', async id => {
  const reply = await send('GET', `api/gallery/photo/details/${id}`)
  expect(reply).toEqual({ status: 404, body: 'Event Photo not found!' })
})

describe('a path', () => {
  test('a path that is unknown is 404 in plain text', async () => {
    const reply = await fetch(`${app.url}/api/nothing`, { headers: { accept: 'application/json' } })
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      404,
      'text/plain; charset=utf-8',
      'Not found!',
    ])
  })

  test('with another method is 405 and lists the allowed ones', async () => {
    const reply = await fetch(`${app.url}/api/account/register`, { method: 'DELETE' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.each(['api/%zz', 'api/account/device/%ff'])('%s is refused as malformed', async path => {
    expect(await send('DELETE', path)).toEqual(says('The URL is malformed.'))
  })
})

/** The server's answer to raw bytes, until it closes. */
const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
      if (answer.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
    socket.setTimeout(3000, () => socket.destroy())
  })

describe('raw HTTP', () => {
  test.each([
    [
      'two ways to end the body',
      'POST /api/account/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /api/account/logout HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    ],
    ['a bare line feed', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
    ['a header of 20 KiB', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_480)}\r\n\r\n`],
    ['no HTTP at all', '\u0016\u0003\u0001\r\n\r\n'],
  ])('with %s is refused with 400', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('a request that names two hosts is refused with 400', async () => {
    expect(await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*two hosts/)
  })

  test('a request with an unknown Expect is refused with 417', async () => {
    expect(await raw('GET /api/account HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 /)
  })

  test.each(['h2c', 'TLS/1.2', 'websocket'])(
    'a request that offers to upgrade to %s is answered unchanged',
    async protocol => {
      const offer = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`
      expect(await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\n${offer}\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"ok"/)
      const post = `POST /api/account/register HTTP/1.1\r\nHost: x\r\n${offer}Content-Type: application/json\r\n`
      expect(await raw(`${post}Content-Length: 2\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 [\s\S]*is required/)
    },
  )

  test('a forged Host header changes no link', async () => {
    const answer = await raw(
      `GET /api/account HTTP/1.1\r\nHost: evil"><script>\r\nAuthorization: ${authorization}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })
})

test('random requests made from the contract never cause an internal error', async () => {
  const odd = fc.oneof(
    fc.constantFrom(
      '0',
      '-1',
      '1.5',
      '0x10',
      '1e3',
      '1',
      '9007199254740993',
      '18446744073709551616',
      '１',
      "'",
      '%',
      '\\',
      '\0',
      '\ud800',
      '',
      ' ',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer(),
    fc.jsonValue(),
  )
  // Requests that would end the session are left out: every later answer would be a 401, and the test blind.
  const staying = new Map(operations.map(operation => [operation.name, operation]))
  for (const name of ['logout', 'removeDevice', 'refreshToken']) staying.delete(name)
  const request = fc.constantFrom(...staying.keys()).chain(name => {
    const { at, input } = staying.get(name) as Route
    const fields = Object.keys((input as unknown as { shape: Record<string, unknown> }).shape)
    return fc.record({
      name: fc.constant(name),
      address: fc.constantFrom(...at),
      fields: fc.record<Record<string, unknown>>(Object.fromEntries(fields.map(field => [field, odd])), {
        requiredKeys: [],
      }),
    })
  })
  // An object may have a `toString` of its own.
  const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  const tame = (value: unknown) => encodeURIComponent(textOf(value ?? 'x').toWellFormed()) || 'x'
  await fc.assert(
    fc.asyncProperty(request, async ({ name, address: [method, path], fields }) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => tame(fields[name]))
      const query =
        method === 'GET'
          ? `?${Object.entries(fields)
              .map(([name, value]) => `${name}=${tame(value)}`)
              .join('&')}`
          : ''
      const reply = await send(method, filled + query, method === 'GET' ? undefined : JSON.stringify(fields))
      if (!staying.get(name)?.open) expect(reply.status).not.toBe(401)
      expect(reply.status, `${method} ${filled}${query} ${reply.body}`).toBeLessThan(500)
    }),
    { numRuns: 600 },
  )
})
