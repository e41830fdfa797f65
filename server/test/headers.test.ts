import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { operations } from '@afterglow/contract/operations'
import { interfaceVersion } from '@afterglow/contract/version'
import { expect, test } from 'vitest'
import { endingOf } from '../src/platform/http/serve.ts'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const authorization = `Bearer ${olivia.token}`

test.each([
  ['GET', 'api/account', { authorization }, 200, null],
  ['GET', 'api/account', {}, 401, 'unauthenticated'],
  ['GET', 'api/account/device/list', { authorization }, 400, 'invalid'],
  ['POST', 'api/account/settings/update', { authorization, 'content-type': 'text/csv' }, 400, 'unreadable'],
  ['GET', 'api/message/group/77', { authorization }, 404, 'noSuchChat'],
  ['GET', 'api/nothing', {}, 404, 'notFound'],
  ['DELETE', 'api/account/register', {}, 405, 'wrongMethod'],
  ['GET', 'api/%zz', {}, 400, 'unreadable'],
  ['GET', 'media/1/display', {}, 404, 'notFound'],
] as const)(
  '%s %s names the interface version, and the reason of a refusal',
  async (method, path, headers, status, code) => {
    const body = 'content-type' in headers ? 'a,b' : undefined
    const reply = await fetch(`${app.url}/${path}`, { method, headers, ...(body && { body }) })
    expect([reply.status, reply.headers.get('x-interface'), reply.headers.get('x-refusal')]).toEqual([
      status,
      interfaceVersion,
      code,
    ])
  },
)

test.each(['/unsubscribe/1-x', '/undo-email/x'])('no site can frame a page that a mail opens: %s', async path => {
  const { headers } = await fetch(`${app.url}${path}`, { headers: { accept: 'text/html' } })
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('a malformed request is refused with a code as well', async () => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.write('NOT HTTP\r\n\r\n')
  const reply = await text(socket)
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toContain('X-Refusal: unreadable')
})

test('the SDK’s client reads the code', async () => {
  await expect(olivia.api.chats.readChat({ group_chat_id: 77 })).rejects.toMatchObject({ code: 'noSuchChat' })
})

test('a deprecated operation says since when and until when; none does yet', () => {
  const [operation] = operations
  const deprecated = { since: new Date('2027-01-01T00:00:00Z'), sunset: new Date('2028-01-01T00:00:00Z'), instead: 'x' }
  expect(endingOf({ deprecated })).toEqual({ Deprecation: '@1798761600', Sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' })
  expect(endingOf(operation ?? {})).toBeUndefined()
})
