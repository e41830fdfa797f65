import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openapi } from '@afterglow/contract/openapi'
import { openapi30 } from '@afterglow/contract/openapi-30'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSandbox } from '../server/src/sandbox/sandbox.ts'
import { newFolder } from '../server/test/new-folder.ts'
import { whenDone } from '../server/test/when-done.ts'

/*
 * Clients by third-party generators compile under --strict and complete the authors' tour. The generators are no
 * dependencies: they come from npm into a temporary directory.
 */

const generators = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.95.0', 'orval@7.13.2']
const compiler = 'typescript@5.9.3'
/* Each client has its own form of the tour's operations; the tour is the one of docs/authors.md for all. */
type Client = { make(document: string, into: string): string[]; calls(url: string, from: string): string }
const person = `{
  user_first_name: name, user_last_name: 'Tour', user_username: username, user_email: username + '@example.com',
  user_password: 'a long password', user_password_confirmation: 'a long password', user_login_option_type: 1,
  device_id: username, user_timezone: 'Europe/Madrid', user_device_platform: 'web',
}`
const clients: Record<string, Client> = {
  'openapi-typescript': {
    make: (document, into) => ['openapi-typescript', document, '-o', `${into}/api.ts`],
    calls: (url, from) => `
import createClient from 'openapi-fetch'
import type { paths } from '${from}/api.ts'
const told = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
const register = async (name: string, username: string) => {
  const { user, token } = told(await createClient<paths>({ baseUrl: '${url}' }).POST('/api/account/register', { body: ${person} }))
  const client = createClient<paths>({ baseUrl: '${url}', headers: { authorization: 'Bearer ' + token } })
  return {
    id: user.id,
    saveEvent: async (event_name: string, event_starts_at: string) => told(await client.POST('/api/event', { body: { event_name, event_starts_at } })),
    askToJoin: async (event_id: number) => told(await client.POST('/api/event/join/request/{event_id}', { params: { path: { event_id } } })),
    listJoinRequests: async (event_id: number) =>
      told(await client.GET('/api/event/join/requests/{event_id}', { params: { path: { event_id }, query: { page: 1, page_length: 10 } } })).data,
    approveJoinRequest: async (event_id: number, user_id: number) =>
      told(await client.PUT('/api/event/join/requests/approve/{event_id}/{user_id}', { params: { path: { event_id, user_id } } })),
    // Its types call a file a string, and its documentation leaves building forms to the caller.
    say: async (group_chat_id: number, message_content: string, pictures: Blob[]) =>
      told(await client.POST('/api/message', { body: { group_chat_id, message_content }, bodySerializer: body => formOf(body, pictures) })),
    addToAlbum: async (message_attachment_id: number) =>
      told(await client.PUT('/api/message/attachment/add-to-album/{message_attachment_id}', { params: { path: { message_attachment_id } } })),
    like: async (event_photo_id: number) => told(await client.PUT('/api/gallery/photo/like/{event_photo_id}', { params: { path: { event_photo_id } } })),
    comment: async (body: Comment) => told(await client.POST('/api/gallery/comment', { body })),
    photo: async (event_photo_id: number) => told(await client.GET('/api/gallery/photo/details/{event_photo_id}', { params: { path: { event_photo_id } } })),
  }
}`,
  },
  '@hey-api/openapi-ts': {
    make: (document, into) => ['openapi-ts', '-i', document, '-o', into, '-c', '@hey-api/client-fetch'],
    calls: (url, from) => `
import { createClient } from '${from}/client/index.ts'
import * as api from '${from}/sdk.gen.ts'
const told = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
const register = async (name: string, username: string) => {
  const open = createClient({ baseUrl: '${url}' })
  const { user, token } = told(await api.register({ client: open, body: ${person} }))
  const client = createClient({ baseUrl: '${url}', auth: () => token })
  return {
    id: user.id,
    saveEvent: async (event_name: string, event_starts_at: string) => told(await api.saveEvent({ client, body: { event_name, event_starts_at } })),
    askToJoin: async (event_id: number) => told(await api.askToJoin({ client, path: { event_id } })),
    listJoinRequests: async (event_id: number) =>
      told(await api.listJoinRequests({ client, path: { event_id }, query: { page: 1, page_length: 10 } })).data,
    approveJoinRequest: async (event_id: number, user_id: number) => told(await api.approveJoinRequest({ client, path: { event_id, user_id } })),
    say: async (group_chat_id: number, message_content: string, attachments: Blob[]) =>
      told(await api.saveMessage({ client, body: { group_chat_id, message_content, attachments } })),
    addToAlbum: async (message_attachment_id: number) => told(await api.addToAlbum({ client, path: { message_attachment_id } })),
    like: async (event_photo_id: number) => told(await api.likePhoto({ client, path: { event_photo_id } })),
    comment: async (body: Comment) => told(await api.saveComment({ client, body })),
    photo: async (event_photo_id: number) => told(await api.readPhoto({ client, path: { event_photo_id } })),
  }
}`,
  },
  orval: {
    make: (document, into) => ['orval', '--input', document, '--output', `${into}/api.ts`, '--client', 'fetch'],
    // It omits the JSON content type and the base URL; the fetch passed in adds both.
    calls: (url, from) => `
import * as api from '${from}/api.ts'
const real = globalThis.fetch
globalThis.fetch = ((path: string, init: RequestInit = {}) => {
  const headers = new Headers(init.headers)
  if (typeof init.body === 'string') headers.set('content-type', 'application/json')
  return real(new URL(path, '${url}'), { ...init, headers })
}) as typeof fetch
const told = <Reply extends { status: number; data: unknown }>(reply: Reply): Extract<Reply, { status: 200 }>['data'] => {
  if (reply.status > 201) throw new Error(JSON.stringify(reply))
  return reply.data as Extract<Reply, { status: 200 }>['data']
}
const register = async (name: string, username: string) => {
  const { user, token } = told(await api.register(${person}))
  const as = { headers: { authorization: 'Bearer ' + token } }
  return {
    id: user.id,
    saveEvent: async (event_name: string, event_starts_at: string) => told(await api.saveEvent({ event_name, event_starts_at }, undefined, as)),
    askToJoin: async (event_id: number) => told(await api.askToJoin(event_id, as)),
    listJoinRequests: async (event_id: number) => told(await api.listJoinRequests(event_id, { page: 1, page_length: 10 }, as)).data,
    approveJoinRequest: async (event_id: number, user_id: number) => told(await api.approveJoinRequest(event_id, user_id, as)),
    say: async (group_chat_id: number, message_content: string, attachments: Blob[]) =>
      told(await api.saveMessage({ group_chat_id, message_content, attachments }, undefined, as)),
    addToAlbum: async (message_attachment_id: number) => told(await api.addToAlbum(message_attachment_id, undefined, as)),
    like: async (event_photo_id: number) => told(await api.likePhoto(event_photo_id, undefined, as)),
    comment: async (body: Comment) => told(await api.saveComment(body, undefined, as)),
    photo: async (event_photo_id: number) => told(await api.readPhoto(event_photo_id, undefined, as)),
  }
}`,
  },
}

const tour = (calls: string, pictures: string[]) => `
import { openAsBlob } from 'node:fs'
${calls}
type Comment = { event_photo_id: number; event_photo_comment: string; event_photo_comment_reply_id?: number }
const formOf = (fields: object, pictures: Blob[]) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const picture of pictures) form.append('attachments[]', picture, 'lanterns.jpg')
  return form
}
const some = <Item>(item: Item | undefined): Item => {
  if (item === undefined) throw new Error('There is none.')
  return item
}
const run = crypto.randomUUID().slice(0, 8)
const olivia = await register('Olivia', 'olivia.' + run)
const gus = await register('Gus', 'gus.' + run)
const event = await olivia.saveEvent('Lanterns on the lake', '2030-06-21T20:00:00Z')
await gus.askToJoin(event.id)
const waiting = some((await olivia.listJoinRequests(event.id))[0])
await olivia.approveJoinRequest(event.id, waiting.id)
const pictures = await Promise.all(${JSON.stringify(pictures)}.map(path => openAsBlob(path)))
const message = await gus.say(event.group_chat_id, 'Look at these!', pictures)
const photo = await olivia.addToAlbum(some(message.attachments[0]).id)
const event_photo_id = Number(photo.id)
await olivia.like(event_photo_id)
const comment = await olivia.comment({ event_photo_id, event_photo_comment: 'What a night.' })
await gus.comment({ event_photo_id, event_photo_comment: 'It was.', event_photo_comment_reply_id: comment.id })
const shown = await gus.photo(event_photo_id)
console.log(waiting.user_first_name, message.attachments.length, shown.event_photo_likes_count, shown.event_photo_comments_count)
`

const pictures = ['lanterns-on-the-lake', 'cake'].map(name => join(import.meta.dirname, `../demo/photos/${name}.jpg`))

describe('from either document', () => {
  let folder = ''
  let url = ''
  // This process serves the sandbox, so nothing may block it.
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(program, args, { cwd: folder, timeout: 200_000 }).then(
      ({ stdout }) => stdout,
      // Compilers print errors on standard output.
      error => Promise.reject(new Error(`${error.message}\n${error.stdout}`)),
    )
  beforeAll(async () => {
    folder = newFolder('generated')
    const sandbox = await openSandbox({ port: 0, deskPort: 0 })
    whenDone(async () => {
      await sandbox.close()
    })
    url = sandbox.url
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, '3.1.json'), JSON.stringify(openapi(url)))
    await writeFile(join(folder, '3.0.json'), JSON.stringify(openapi30(openapi(url))))
    await run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...generators, compiler])
  }, 240_000)

  test.each(['3.1', '3.0'].flatMap(version => Object.keys(clients).map(name => [version, name] as const)))(
    '%s: a client by %s compiles under --strict and walks the authors’ tour',
    async (version, name) => {
      const { make, calls } = clients[name] as Client
      const into = `./${name.replaceAll(/\W/g, '-')}-${version}`
      await mkdir(join(folder, into))
      const [program = '', ...args] = make(`./${version}.json`, into)
      await run(`node_modules/.bin/${program}`, args)
      const file = `${into}.tour.ts`
      await writeFile(join(folder, file), tour(calls(url, into), pictures))
      await run('node_modules/.bin/tsc', [
        ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
        ...['--allowImportingTsExtensions', '--lib', 'es2023,dom,dom.iterable', file],
      ])
      const bundle = await rolldown({ input: join(folder, file), platform: 'node' })
      await bundle.write({ file: join(folder, `${file}.mjs`) })
      expect((await run(process.execPath, [`${file}.mjs`])).trim()).toBe('Gus 2 1 2')
    },
    120_000,
  )
})
