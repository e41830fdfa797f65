import { openapi } from '@afterglow/contract/openapi'
import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { party } from './party.ts'

/*
 * Every field name in the interface's replies, sent back to each operation on that resource: it is accepted or refused
 * by name. Read from the document, as authors of clients read it.
 */

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
type Described = {
  operationId: string
  'x-documented-interface'?: true
  parameters?: { name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: { 200: { content: Record<string, { schema: Schema }> } }
}
const { paths, components } = openapi('https://party.example') as unknown as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}
const named = ({ $ref }: Schema) => $ref?.split('/').at(-1) ?? ''
const resolved = (schema: Schema): Schema => (schema.$ref ? (components.schemas[named(schema)] as Schema) : schema)
const jsonOf = (content: Record<string, { schema: Schema }> = {}) => Object.values(content)[0]?.schema ?? {}

/** The resource of an operation's reply, or of each item of its list. */
const resourceOf = ({ responses }: Described): Schema => {
  const reply = jsonOf(responses[200].content)
  const { data, per_page } = resolved(reply).properties ?? {}
  return data?.items && per_page ? data.items : reply
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { responses }]) => jsonOf(responses[200]?.content).$ref)
    .map(([method, described]) => ({ path, method: method.toUpperCase(), ...described })),
)
const documented = new Set(
  operations.filter(each => each['x-documented-interface']).map(each => named(resourceOf(each))),
)

/** The fields that its resource has and that it does not accept, without those that apps send back unread. */
const carried = (operation: Described) => {
  const resource = resourceOf(operation)
  const { extra, ...own } = resolved(resource).properties ?? {}
  const taken = new Set([
    ...(operation.parameters ?? []).map(({ name }) => name),
    ...Object.keys(jsonOf(operation.requestBody?.content).properties ?? {}),
  ])
  const names = [
    ...(documented.has(named(resource)) ? [] : Object.keys(own)),
    ...(extra ? ['extra', ...Object.keys(resolved(extra).properties ?? {})] : []),
  ]
  return names.filter(name => !taken.has(name) && name !== 'done')
}

const app = await openTestApp()
const { olivia, gus, event, chatId } = await party(app)
const ask = async (method: string, path: string, fields: Record<string, unknown>, token = gus.token) => {
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery ? `?${new URLSearchParams(fields as Record<string, string>)}` : ''
  const reply = await fetch(`${app.url}${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(!inQuery && { body: JSON.stringify(fields) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const takesBody = ({ method, requestBody }: { method: string; requestBody?: unknown }) =>
  method === 'GET' || method === 'DELETE' || requestBody !== undefined
const trials = operations.filter(takesBody).filter(each => carried(each).length > 0)

test('most operations reply with fields that they do not accept', () => expect(trials.length).toBeGreaterThan(90))

test.each(trials)(
  '$method $path refuses each field that only its replies have',
  async ({ path, method, ...described }) => {
    const names = carried(described)
    const { status, body } = await ask(
      method,
      path.replaceAll(/\{\w+\}/g, '1'),
      Object.fromEntries(names.map(name => [name, '2'])),
    )
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(expect.arrayContaining(names))
  },
)

test.each([
  ['photo_approval', 'album', 'POST', '/api/event', 'event_photo_approval'],
  ['album_for', 'coming', 'POST', '/api/event', 'event_album_for'],
  ['attachments_to_album', false, 'POST', '/api/event', 'event_attachments_to_album'],
  ['guests_may_share', false, 'POST', '/api/event', 'event_guests_may_share'],
  ['page_lives', false, 'POST', '/api/event', 'event_page_lives'],
  ['location', 'The garden', 'POST', '/api/event', 'event_location'],
  ['announcement_photo_ids', [1], 'POST', '/api/event/announcement', 'event_photo_ids'],
  ['read_only_from', '2032-01-01T00:00:00Z', 'PUT', '/api/message/group/end/1', 'from'],
  ['multiple', true, 'POST', '/api/message/poll', 'poll_multiple'],
  ['anonymous', true, 'POST', '/api/message/poll', 'poll_anonymous'],
  ['my_choice_ids', [1], 'POST', '/api/message/poll/vote', 'poll_choice_ids'],
] as const)('%s has its own name', async (name, value, method, path, here) => {
  const { status, body } = await ask(method, path, { [name]: value })
  expect([status, body[name]]).toEqual([
    400,
    [`The ${name.replaceAll('_', ' ')} field is not known here: it is called ${here}.`],
  ])
})

test('a field in an item of a list has its own name as well', async () => {
  const { id: _, ...more } = { id: 0, event_name: 'Party', event_starts_at: '2032-06-20T20:00:00Z' }
  const cake = { programme_title: 'Cake', programme_starts_at: '2032-06-20T21:00:00Z' }
  const programme = [cake, { ...cake, place: 'The garden' }]
  expect(await ask('POST', '/api/event', { ...more, event_programme: programme })).toMatchObject({
    status: 400,
    body: {
      'event_programme.1.place': ['The place field is not known here: it is called programme_place.'],
    },
  })
})

test('a field repeated with the same value is accepted, and with another refused', async () => {
  const update = {
    event_id: event.id,
    event_name: 'Party',
    event_starts_at: '2032-06-20T20:00:00Z',
    event_photo_approval: 'wall',
  }
  const given = (photo_approval: string) =>
    ask('POST', '/api/event', { ...update, id: event.id, photo_approval }, olivia.token)
  expect(await given('wall')).toMatchObject({ status: 200 })
  expect(await given('none')).toMatchObject({ status: 400, body: { photo_approval: [expect.any(String)] } })
})

test('a documented field that an old app sends back is ignored', async () => {
  const said = await gus.api.chats.saveMessage({ group_chat_id: chatId, message_content: 'Hello' })
  const body = { ...said, message_id: said.id, message_content: 'Hello again' }
  expect(await ask('POST', '/api/message', body)).toMatchObject({
    status: 200,
    body: { message_content: 'Hello again' },
  })
  const account = await gus.api.accounts.readAccount()
  expect((await ask('POST', '/api/account/details/update', account)).status).toBe(200)
})

test('a field that names another user is never taken for the caller', async () => {
  const sam = await enter(app, 'sam')
  const { status } = await ask('POST', '/api/event/answer', { event_id: event.id, event_answer: 'no', user_id: sam.id })
  expect(status).toBe(400)
})
