import type { AddressInfo } from 'node:net'
import { Message } from '@afterglow/contract/chats/message'
import { examples } from '@afterglow/contract/examples'
import { operations } from '@afterglow/contract/operations'
import { afterglow } from '@afterglow/sdk'
import { expect, test } from 'vitest'
import { invalid, refusal } from '../../test/refused.ts'
import { whenDone } from '../../test/when-done.ts'
import { openMock } from './mock.ts'

const mock = openMock()
await new Promise<void>(resolve => mock.listen(0, '127.0.0.1', resolve))
whenDone(() => mock.close())
const baseUrl = `http://127.0.0.1:${(mock.address() as AddressInfo).port}`
const api = afterglow({ baseUrl, token: 'any' })

test('the mock answers an operation with an example of the contract, including forms with files', async () => {
  const message = await api.chats.saveMessage({
    group_chat_id: 1,
    message_content: 'x',
    attachments: [new Blob(['x'])],
  })
  expect(Message.safeParse(message).error).toBeUndefined()
  expect((await api.chats.listMessages({ group_chat_id: 1, page: 1, page_length: 5 })).data).toHaveLength(1)
})

test('each request that the documents show gets the reply that they show', async () => {
  for (const { name, at, files = {} } of operations) {
    const { request, replies } = examples[name] ?? {}
    if (!request || !replies) continue
    const headers = { authorization: 'Bearer x', ...(request.body && { 'content-type': 'application/json' }) }
    const form = new FormData()
    for (const [field, value] of Object.entries(request.body ?? {}))
      for (const each of [value].flat()) {
        const named = Array.isArray(value) ? `${field}[]` : field
        form.append(named, field in files ? new Blob(['x']) : String(each))
      }
    const sent =
      Object.keys(files).length > 0
        ? { headers: { authorization: 'Bearer x' }, body: form }
        : { headers, ...(request.body && { body: JSON.stringify(request.body) }) }
    const answered = await fetch(baseUrl + request.path, { method: at[0]?.[0] as string, ...sent })
    expect([name, answered.status]).toEqual([name, expect.toBeOneOf([200, 201])])
    expect([name, Object.values(replies)]).toEqual([name, expect.arrayContaining([await answered.json()])])
  }
})

test('every read has an example', async () => {
  for (const { name, at, reply } of operations) {
    const [method, path] = at[0] as [string, string]
    if (method !== 'GET') continue
    const query =
      'page=1&page_length=1&name=x&text=x&message_id=1&group_chat_id=1&filter=upcoming&cursor=1&account_export_id=1'
    const answered = await fetch(`${baseUrl}/${path.replaceAll(/\{\w+\}/g, '1')}?${query}`, {
      headers: { authorization: 'Bearer x' },
    })
    if (answered.status === 200) expect([name, reply.safeParse(await answered.json()).error]).toEqual([name, undefined])
    else expect([name, answered.status]).toEqual([name, 400])
  }
})

test('the mock checks requests as the service does, and demands a bearer where that does', async () => {
  expect(await refusal(api.chats.listMessages({ group_chat_id: 1, page: 0, page_length: 5 }))).toEqual(
    invalid('page', 'The page field must be at least 1.'),
  )
  expect((await refusal(afterglow({ baseUrl }).accounts.readAccount())).status).toBe(401)
  expect((await fetch(`${baseUrl}/api/nothing`)).status).toBe(404)
  const broken = {
    method: 'POST',
    body: '{',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
  }
  expect((await fetch(`${baseUrl}/api/message`, broken)).status).toBe(400)
})

test('the mock answers a refusal on request', async () => {
  const headers = { authorization: 'Bearer x', 'x-mock-refusal': 'noSuchChat' }
  const reply = await fetch(`${baseUrl}/api/message/group/1`, { headers })
  expect([reply.status, reply.headers.get('x-refusal'), await reply.text()]).toEqual([
    404,
    'noSuchChat',
    'Group chat not found!',
  ])
})
