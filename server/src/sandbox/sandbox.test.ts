import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { whenDone } from '../../test/when-done.ts'
import { tokenOf } from './initial-state.ts'
import { openSandbox } from './sandbox.ts'

test('a sandbox records its messages, and one call restores its initial state', async () => {
  const sandbox = await openSandbox({ port: 0, deskPort: 0 })
  whenDone(() => sandbox.close())
  const ask = async (name: string, method: string, path: string, body?: object) => {
    const reply = await fetch(`${sandbox.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${tokenOf(name)}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(reply.status).toBe(200)
    return reply.json()
  }
  const desk = async (path: string, method = 'GET') => (await fetch(`${sandbox.deskUrl}${path}`, { method })).json()
  const messages = () => ask('gus', 'GET', 'message/list?group_chat_id=1&page=1&page_length=10')

  const begun = await messages()
  expect(begun.data.map((message: { id: string }) => message.id)).toEqual(['3', '2', '1'])
  expect(begun.data[0].created_at).toBe('2026-06-20T18:00:03.000Z')

  const said = { group_chat_id: 1, message_content: 'Bring blankets.' }
  expect((await ask('olivia', 'POST', 'message', said)).id).toBe('4')
  await expect.poll(async () => JSON.stringify(await desk('/pushes'))).toContain('Bring blankets.')
  await fetch(`${sandbox.url}/api/account/password/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_email: 'ana@example.com' }),
  })
  await expect.poll(async () => (await desk('/mails')).length).toBe(1)
  expect(await (await fetch(sandbox.deskUrl)).text()).toContain(tokenOf('sam'))
  const foreign = await fetch(`${sandbox.deskUrl}/reset`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  expect(foreign.status).toBe(403)
  const { hostname, port } = new URL(sandbox.deskUrl)
  const named = request({ hostname, port, headers: { host: `evil.example:${port}` } }).end()
  const [rebound] = (await once(named, 'response')) as [IncomingMessage]
  rebound.resume()
  expect(rebound.statusCode).toBe(403)

  expect(await desk('/reset', 'POST')).toEqual({ done: true })
  expect(await messages()).toEqual(begun)
  expect([await desk('/pushes'), await desk('/mails')]).toEqual([[], []])
  expect((await ask('olivia', 'POST', 'message', said)).id).toBe('4')
})
