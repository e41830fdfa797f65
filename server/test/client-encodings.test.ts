import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { evening, party } from './party.ts'
import { jpeg } from './pictures.ts'
import { addressOf, tusFor } from './tus.ts'

/*
 * Requests as the libraries of other people's clients write them: axios, Dio, Retrofit and OkHttp, Alamofire,
 * URLSession, Ktor, fetch of React Native, curl, Guzzle, requests, HttpClient of .NET and of Apache.
 */
const app = await openTestApp()
const { olivia, gus, event, chatId } = await party(app)
const authorization = `Bearer ${gus.token}`
const json = 'application/json'
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'

type RequestOptions = { type?: string; headers?: Record<string, string>; token?: string }
const send = async (
  method: string,
  path: string,
  body?: string | Buffer,
  { type = json, headers = {}, token = gus.token }: RequestOptions = {},
) => {
  const reply = await fetch(`${app.url}/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const says = (error_message: string) => ({ status: 400, body: { error_message } })
const message = (message_content: string) => ({ group_chat_id: chatId, message_content })
const say = (body: string | Buffer, sent?: RequestOptions) => send('POST', 'api/message', body, sent)
const said = (message_content: string) => ({ status: 200, body: { message_content } })
const messages = async () =>
  Number((await sql<{ count: string }>`select count(*) from messages`.execute(app.db)).rows[0]?.count)

const part = (disposition: string, value: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--x--\r\n')])
const words = (text: string) => [part('name="group_chat_id"', String(chatId)), part('name="message_content"', text)]
const picture = await jpeg({ width: 32, height: 24 })

describe('a parameter given twice', () => {
  test('the last counts in a query', async () => {
    const reply = await send('GET', 'api/account/device/list?page=7&page_length=abc&page=1&page_length=5')
    expect(reply).toMatchObject({ status: 200, body: { current_page: 1, per_page: '5' } })
  })

  test.each([
    ['urlencoded', 'group_chat_id=0&message_content=first&message_content=last&group_chat_id=', urlencoded],
    ['a small form', `${form(...words('first'), part('name="message_content"', 'last'))}`, multipart],
    [
      'a form that is read as it arrives',
      `${form(...words('first'), part('name="message_content"', 'last', 'Content-Type: text/plain\r\n'))}`,
      multipart,
    ],
  ])('the last counts in %s', async (_, body, type) => {
    expect(await say(type === urlencoded ? `${body}${chatId}` : body, { type })).toMatchObject(said('last'))
  })

  test('the list of an operation that takes one keeps both, however it is written', async () => {
    const sums = ['a', 'b'].map(letter => letter.repeat(64))
    for (const name of ['sha256', 'sha256[]', 'sha256[0]', 'sha256.0']) {
      const names = [name, name.replace('0', '1')]
      const body = new URLSearchParams([
        ['event_id', String(event.id)],
        ...names.map((each, at) => [each, sums[at] as string]),
      ])
      const reply = await send('POST', 'api/gallery/upload/check', String(body), { type: urlencoded })
      expect(reply, name).toMatchObject({ status: 200, body: { known: [] } })
    }
    const one = `event_id=${event.id}&sha256=${sums[0]}`
    expect(await send('POST', 'api/gallery/upload/check', one, { type: urlencoded })).toMatchObject({ status: 200 })
  })
})

describe('a list of objects', () => {
  const at = '2032-06-20T21:00:00.000Z'
  const cake = { programme_starts_at: at, programme_title: 'Cake' }
  const band = { programme_starts_at: '2032-06-20T22:00:00.000Z', programme_title: 'Band', programme_place: 'Hall' }
  const all = [cake, band]
  const properties = (spelt: (item: number, property: string) => string) =>
    all.flatMap((item, number) => Object.entries(item).map(([name, value]) => [spelt(number, name), value]))
  const spellings: [string, string[][]][] = [
    ['[0][x]', properties((item, name) => `event_programme[${item}][${name}]`)],
    ['[0].x', properties((item, name) => `event_programme[${item}].${name}`)],
    ['.0.x', properties((item, name) => `event_programme.${item}.${name}`)],
    ['[][x]', properties((_, name) => `event_programme[][${name}]`)],
    ['one JSON text', [['event_programme', JSON.stringify(all)]]],
    ['one JSON text in brackets', [['event_programme[]', JSON.stringify(all)]]],
    ['a JSON text for each', all.map((item, number) => [`event_programme[${number}]`, JSON.stringify(item)])],
    ['a JSON text for each without numbers', all.map(item => ['event_programme', JSON.stringify(item)])],
  ]
  const fields = { ...evening({ event_starts_at: '2032-06-20T20:00:00Z' }), event_visibility: 2 }
  const save = async (pairs: string[][], type: string) => {
    const named = [...Object.entries(fields), ...pairs].map(
      ([name = '', value]) => [name, String(value)] as [string, string],
    )
    const body =
      type === urlencoded
        ? String(new URLSearchParams(named))
        : form(...named.map(([name, value]) => part(`name="${name}"`, value)))
    return send('POST', 'api/event?include=extra', body, { type, token: olivia.token })
  }

  for (const type of [urlencoded, multipart])
    test.each(spellings)(`written as %s is read from ${type.split(';')[0]}`, async (_, pairs) => {
      const reply = await save(pairs, type)
      expect(reply.status).toBe(200)
      expect(reply.body.extra.event_programme).toMatchObject(all)
    })

  test('as a text within JSON is read', async () => {
    const body = JSON.stringify({ ...fields, event_programme: JSON.stringify(all) })
    const reply = await send('POST', 'api/event?include=extra', body, { token: olivia.token })
    expect(reply.body.extra.event_programme).toMatchObject(all)
  })

  test.each(['event_programme[]', 'event_programme', 'event_programme[0]'])(
    'an empty %s says that there is none',
    async name => {
      const made = await save(spellings[0]?.[1] ?? [], urlencoded)
      const again = await save(
        [
          ['event_id', String(made.body.id)],
          [name, ''],
        ],
        urlencoded,
      )
      expect([again.status, again.body.extra.event_programme]).toEqual([200, []])
    },
  )

  test.each([
    ['event_programme[0][programme_title][en]', 'event_programme'],
    ['event_programme[x][programme_title]', 'event_programme'],
    ['event_programme[programme_title]', 'event_programme'],
    ['event_location[name]', 'event_location'],
    ['event_programme[0][place]', 'event_programme.0.place'],
  ])('under %s, which nobody reads, is refused by name', async (name, field) => {
    const reply = await save(
      [...properties((item, each) => `event_programme[${item}][${each}]`), [name, 'Hall']],
      urlencoded,
    )
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, [field]])
  })

  test('of numbers is emptied by a form, which takes a vote back', async () => {
    const poll = { group_chat_id: chatId, message_content: 'Where?', poll_choices: ['Lake', 'Hall'] }
    const { id } = await gus.api.polls.makePoll(poll)
    const vote = (choices: string) =>
      send('POST', 'api/message/poll/vote?include=extra', `message_id=${id}&${choices}`, { type: urlencoded })
    expect((await vote('poll_choice_ids[]=2')).body.extra.card.poll.my_choice_ids).toEqual([2])
    expect((await vote('poll_choice_ids[]=')).body.extra.card.poll.my_choice_ids).toEqual([])
    expect((await vote('poll_choice_ids=[1]')).body.extra.card.poll.my_choice_ids).toEqual([1])
  })
})

describe('a JSON body', () => {
  test.each([
    'application/json; charset=utf-8',
    'Application/JSON;Charset="UTF-8"',
    'application/json;odata=verbose',
    'application/vnd.api+json',
    'application/ld+json; profile="https://a.example/b"',
    'application/merge-patch+json',
    'text/json',
    'text/json; charset=utf8',
    // The content type of curl, and of URLSession if none is set.
    urlencoded,
  ])('with type %s is read', async type => {
    expect(await say(JSON.stringify(message('Grüße')), { type })).toMatchObject(said('Grüße'))
  })

  test.each(['application/xml', 'text/plain;charset=UTF-8', 'application/jsonp', 'multipart/mixed; boundary=x'])(
    'with type %s is refused by name',
    async type => {
      expect(await say(JSON.stringify(message('hi')), { type })).toMatchObject(
        says('The content type of the body is not supported.'),
      )
    },
  )
})

describe('a POST that means another method', () => {
  const unreact = async (of: { path: string; body?: string; headers?: Record<string, string>; type?: string }) => {
    const { id } = await gus.api.chats.saveMessage(message('React'))
    await gus.api.chats.reactToMessage({ message_id: Number(id), message_reaction: '🎉' })
    const reply = await send('POST', of.path.replace('ID', id), of.body, {
      ...(of.headers && { headers: of.headers }),
      ...(of.type && { type: of.type }),
    })
    return { ...reply, left: reply.body.reactions?.length }
  }
  const path = 'api/message/react/ID'

  test.each([
    ['X-HTTP-Method-Override', { path, headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
    ['X-HTTP-Method', { path, headers: { 'X-HTTP-Method': 'delete' } }],
    ['X-Method-Override', { path, headers: { 'X-Method-Override': 'DELETE' } }],
    ['_method in the query', { path: `${path}?_method=DELETE` }],
    ['_method in a form', { path, body: '_method=DELETE', type: urlencoded }],
    ['_method in small letters', { path, body: '_method=delete', type: urlencoded }],
    ['_method in a multipart form', { path, body: String(form(part('name="_method"', 'DELETE'))), type: multipart }],
    ['_method in JSON', { path, body: '{"_method":"DELETE"}' }],
  ])('by %s acts as that method', async (_, of) => {
    expect(await unreact(of)).toMatchObject({ status: 200, left: 0 })
  })

  test('is limited, authenticated and refused as that method', async () => {
    const override = { 'X-HTTP-Method-Override': 'PUT' }
    expect((await send('POST', 'api/realtime/ping', undefined, { headers: override })).status).toBe(200)
    const limited = await send('POST', 'api/realtime/ping', '_method=PUT', { type: urlencoded })
    expect([limited.status, limited.headers.has('x-ratelimit-limit')]).toEqual([200, true])
    expect((await send('POST', 'api/realtime/ping', '_method=PUT', { type: urlencoded, token: 'x' })).status).toBe(401)
    const unknown = { type: urlencoded }
    const refused = await send('POST', 'api/message/attachment/add-to-album/999', '_method=PUT', unknown)
    expect(refused).toMatchObject({ status: 404, body: 'Attachment not found!' })
    expect(refused.headers.get('x-refusal')).toBe('noSuchAttachment')
  })

  test('may be a GET whose fields stand in its body', async () => {
    const reply = await send('POST', 'api/message/list', `_method=GET&group_chat_id=${chatId}&page=1&page_length=2`, {
      type: urlencoded,
    })
    expect(reply).toMatchObject({ status: 200, body: { current_page: 1 } })
  })

  test('acts as the other method, even where a POST has a meaning of its own', async () => {
    const { id } = await olivia.api.events.saveEvent(evening({ event_join_mode: 2 }))
    const address = `api/event/join/request/${id}`
    expect(await send('POST', address)).toMatchObject({ body: { join_request_status: 'pending' } })
    const withdrawn = await send('POST', address, '_method=DELETE', { type: urlencoded })
    expect(withdrawn.status).toBe(200)
    expect(withdrawn.body.join_request_status).not.toBe('pending')
  })

  test.each([
    ['PUT', { headers: { 'X-HTTP-Method-Override': 'PUT' } }],
    ['nonsense', { headers: { 'X-HTTP-Method-Override': 'DROP' } }],
    ['HEAD', { headers: { 'X-HTTP-Method-Override': 'HEAD' } }],
  ])('%s where it does not exist is 405 with the allowed methods', async (_, sent) => {
    const reply = await send('POST', 'api/message/group/list', undefined, sent)
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('cannot be anything but a POST', async () => {
    const reply = await send('GET', 'api/account', undefined, { headers: { 'X-HTTP-Method-Override': 'DELETE' } })
    expect(reply).toMatchObject({ status: 200, body: { id: gus.id } })
  })

  test('continues a resumable upload, and reports its offset', async () => {
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(picture.length, { event_id: event.id, kind: 'image' }))
    const posted = (method: string, body?: Buffer) =>
      fetch(at, {
        method: 'POST',
        headers: {
          authorization,
          'tus-resumable': '1.0.0',
          'x-http-method-override': method,
          ...(body && { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }),
        },
        ...(body && { body: new Uint8Array(body) }),
      })
    expect((await posted('PATCH', picture)).status).toBe(204)
    expect((await posted('HEAD')).headers.get('upload-offset')).toBe(String(picture.length))
    expect((await posted('DELETE')).status).toBe(204)
  })
})

describe('a compressed body', () => {
  const text = 'Zipped 🎉'
  const plain = Buffer.from(JSON.stringify(message(text)))
  const asForm = form(...words(text))

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
    ['utf-8', (bytes: Buffer) => bytes],
  ] as [string, (bytes: Buffer) => Buffer][])(
    'by %s is read, as JSON and as a form without files',
    async (encoding, compress) => {
      const headers = { 'content-encoding': encoding }
      expect(await say(compress(plain), { headers })).toMatchObject(said(text))
      const pairs = Buffer.from(`group_chat_id=${chatId}&message_content=${encodeURIComponent(text)}`)
      expect(await say(compress(pairs), { headers, type: urlencoded })).toMatchObject(said(text))
      const settings = form(part('name="user_setting_mute_notification"', '0'))
      const reply = await send('POST', 'api/account/settings/update', compress(settings), { headers, type: multipart })
      expect(reply.status).toBe(200)
    },
  )

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ] as const)('by %s may hold pictures, as OkHttp sends it', async (encoding, compress) => {
    const shown = form(
      ...words(text),
      part('name="attachments"; filename="a.jpg"', picture, 'Content-Type: image/jpeg\r\n'),
    )
    const reply = await say(compress(shown), { headers: { 'content-encoding': encoding }, type: multipart })
    expect(reply).toMatchObject(said(text))
    expect(reply.body.attachments).toHaveLength(1)
  })

  test.each([
    ['gzip', 'by another name', plain, json, 'The body is not valid gzip.'],
    ['deflate', 'by another name', plain, json, 'The body is not valid deflate.'],
    ['br', 'by another name', Buffer.alloc(50, 0xff), json, 'The body is not valid br.'],
    ['gzip', 'and cut', gzipSync(plain).subarray(0, 40), json, 'The body is not valid gzip.'],
    ['gzip', 'that is a form and cut', gzipSync(asForm).subarray(0, 60), multipart, 'The body is not valid gzip.'],
    ['zstd', '', zstdCompressSync(plain), json, 'The content encoding of the body is not supported.'],
    ['zstd', 'as a form', zstdCompressSync(asForm), multipart, 'The content encoding of the body is not supported.'],
    ['gzip, gzip', '', gzipSync(gzipSync(plain)), json, 'The content encoding of the body is not supported.'],
    [
      'br',
      'with files',
      brotliCompressSync(asForm),
      multipart,
      'A form with files may be compressed with gzip or deflate, not with br.',
    ],
  ])('%s %s is refused with its reason', async (encoding, _, body, type, sentence) => {
    expect(await say(body, { headers: { 'content-encoding': encoding }, type })).toMatchObject(says(sentence))
  })

  const bomb = Buffer.alloc(64 * 1024 * 1024, 'a')
  test.each([
    ['gzip', gzipSync(bomb), json],
    ['deflate', deflateSync(bomb), json],
    ['br', brotliCompressSync(bomb), json],
    ['gzip', gzipSync(Buffer.concat([Buffer.from('message_content='), bomb])), urlencoded],
  ])('%s that expands a thousandfold is refused before it does', async (encoding, body, type) => {
    const before = process.memoryUsage().arrayBuffers
    const began = performance.now()
    expect(await say(body, { headers: { 'content-encoding': encoding }, type })).toMatchObject(
      says('The body is too large.'),
    )
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024)
    expect(performance.now() - began).toBeLessThan(3000)
  })

  test.each([
    ['a picture', part('name="attachments"; filename="a.jpg"', bomb)],
    ['a field', part('name="message_content"', bomb, 'Content-Type: text/plain\r\n')],
  ])('of a form whose %s expands is refused, and its connection goes on', async (_, expanding) => {
    const body = gzipSync(form(...words(text), expanding))
    const reply = await say(body, { headers: { 'content-encoding': 'gzip' }, type: multipart })
    expect(reply.status).toBe(400)
    expect(reply.body.error_message).toMatch(/expands too much|text of the form is too long/)
    expect(await say(JSON.stringify(message('after')))).toMatchObject(said('after'))
  })

  test('is not taken for a piece of an upload', async () => {
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(picture.length, { event_id: event.id, kind: 'image' }))
    const reply = await tus.patch(at, 0, gzipSync(picture), { 'content-encoding': 'gzip' })
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { error_message: 'An upload in pieces cannot be compressed.' },
    ])
    expect((await tus.head(at)).headers.get('upload-offset')).toBe('0')
  })

  test('costs no more than its sent bytes while it is held back', async () => {
    const head = Buffer.from([0x8b, 0x80, 0x80])
    expect(await say(Buffer.concat([head, randomBytes(10)]), { headers: { 'content-encoding': 'br' } })).toMatchObject({
      status: 400,
    })
  })
})

describe('a text in another charset', () => {
  const text = 'Grüße, Zoë'
  const latin1 = (value: string) => Buffer.from(value, 'latin1')
  const utf16 = (value: string) => Buffer.from(value, 'utf16le')
  const bigEndian = (value: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(value).swap16()])
  const body = JSON.stringify(message(text))

  test.each([
    ['JSON in Latin-1', latin1(body), 'application/json; charset=ISO-8859-1'],
    ['JSON in windows-1252', latin1(body), 'application/json;charset="windows-1252"'],
    ['JSON in UTF-16', utf16(body), 'application/json; charset=utf-16'],
    [
      'JSON in UTF-16 with a mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(body)]),
      'application/json; charset=utf-16',
    ],
    ['JSON in UTF-16 the other way round', bigEndian(body), 'application/json; charset=UTF-16'],
    ['JSON with nothing but a mark', bigEndian(body), json],
    [
      'a form in Latin-1, escaped',
      Buffer.from(`group_chat_id=${chatId}&message_content=Gr%FC%DFe,+Zo%EB`),
      `${urlencoded}; charset=iso-8859-1`,
    ],
    [
      'a form in Latin-1, as it is',
      latin1(`group_chat_id=${chatId}&message_content=${text}`),
      `${urlencoded}; charset=iso-8859-1`,
    ],
    [
      'a part in Latin-1',
      form(
        part('name="group_chat_id"', String(chatId)),
        part(
          'name="message_content"',
          latin1(text),
          'Content-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n',
        ),
      ),
      multipart,
    ],
    [
      'a part in UTF-16',
      form(
        part('name="group_chat_id"', String(chatId)),
        part('name="message_content"', utf16(text), 'Content-Type: text/plain; charset=utf-16le\r\n'),
      ),
      multipart,
    ],
  ])('%s is read', async (_, bytes, type) => {
    expect(await say(bytes, { type })).toMatchObject(said(text))
  })

  test('a text in a charset of Russia or Japan is read', async () => {
    const cp1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
    const shiftJis = Buffer.from([0x82, 0xcd, 0x82, 0xc8])
    for (const [charset, bytes, read] of [
      ['windows-1251', cp1251, 'Привет'],
      ['Shift_JIS', shiftJis, 'はな'],
    ] as const) {
      const typed = part('name="message_content"', bytes, `Content-Type: text/plain; charset=${charset}\r\n`)
      expect(await say(form(part('name="group_chat_id"', String(chatId)), typed), { type: multipart })).toMatchObject(
        said(read),
      )
    }
  })

  test.each([
    ['JSON', latin1(body), json, 'The body is not valid UTF-8.'],
    [
      'JSON',
      Buffer.from(body),
      'application/json; charset=utf-32',
      'The charset "utf-32" of the body is not supported.',
    ],
    ['a form', latin1(`message_content=${text}`), urlencoded, 'The body is not valid UTF-8.'],
    ['an escaped form', Buffer.from('message_content=%FC'), urlencoded, 'The body is not valid UTF-8.'],
    ['a part', form(part('name="message_content"', latin1(text))), multipart, 'The body is not valid UTF-8.'],
    [
      'a typed part',
      form(part('name="a"', 'b', 'Content-Type: text/plain; charset=klingon\r\n')),
      multipart,
      'The charset "klingon" of the body is not supported.',
    ],
    [
      'a part in base64',
      form(part('name="message_content"', 'SGk=', 'Content-Transfer-Encoding: base64\r\n')),
      multipart,
      'The transfer encoding of a part of the form is not supported.',
    ],
  ])('%s that cannot be read is refused with its reason', async (_, bytes, type, sentence) => {
    expect(await say(bytes, { type })).toMatchObject(says(sentence))
  })
})

describe('a part of a form', () => {
  test.each([
    ['typed octet-stream', 'Hello', 'Content-Type: application/octet-stream\r\n', 'Hello'],
    [
      'with a length, as Retrofit writes it',
      'Hello',
      'Content-Length: 5\r\nContent-Transfer-Encoding: binary\r\nContent-Type: text/plain; charset=UTF-8\r\n',
      'Hello',
    ],
    [
      'that a converter of Retrofit made JSON of',
      '"Hello \\"you\\""',
      'Content-Type: application/json; charset=UTF-8\r\n',
      'Hello "you"',
    ],
    ['typed JSON that is none', '"Hello', 'Content-Type: application/json\r\n', '"Hello'],
    ['typed JSON that is a number', '42', 'Content-Type: application/json\r\n', '42'],
    ['in quotes that nobody typed', '"Hello"', '', '"Hello"'],
  ])('%s without a file name is text', async (_, value, headers, read) => {
    const body = form(
      part('name="group_chat_id"', String(chatId), headers.replace('5', '1')),
      part('name="message_content"', value, headers),
    )
    expect(await say(body, { type: multipart })).toMatchObject(said(read))
  })

  test.each([
    ['unquoted, as .NET and Ktor write it', 'name=message_content'],
    ['in capitals', 'NAME="message_content"'],
    ['behind a file name’s absence', 'name="message_content"; size=5'],
  ])('named %s is understood', async (_, disposition) => {
    const body = form(part('name="group_chat_id"', String(chatId)), part(disposition, 'Hello'))
    expect(await say(body, { type: 'multipart/form-data; charset=utf-8; boundary="x"' })).toMatchObject(said('Hello'))
  })

  const jpegType = 'Content-Type: image/jpeg\r\n'
  test.each([
    ['name="attachments"', jpegType],
    ['name="attachments"', 'Content-Type: application/octet-stream\r\n'],
    ['name="attachments"', ''],
    ['name="attachments[]"', jpegType],
    ['name="attachments[0]"', ''],
    ['name="attachments.0"', jpegType],
    ['name="attachments[0][file]"', jpegType],
    ['name="attachments"; filename=""', jpegType],
    ['name="attachments"; filename="a.jpg"', ''],
    ["name=attachments; filename=a.jpg; filename*=utf-8''a.jpg", jpegType],
    ['name="attachments"; filename*=UTF-8\'\'na%C3%AFve.jpg', ''],
    ['name="attachments.0"; filename="a.jpg"', jpegType],
    ['name="attachments[0][file]"; filename="a.jpg"', jpegType],
    ['name="attachments[file]"; filename="a.jpg"', jpegType],
    ['name="attachments[0].file"; filename="a.jpg"', jpegType],
    ['name="attachments[][file]"; filename="a.jpg"', jpegType],
    ['name="attachments"; filename="C:\\dir\\a.jpg"', jpegType],
    ['name="attachments"; filename="say \\"hi\\".jpg"', jpegType],
  ])('with a picture is one: %s %s', async (disposition, headers) => {
    const reply = await say(form(...words('Look'), part(disposition, picture, headers)), { type: multipart })
    expect(reply).toMatchObject(said('Look'))
    expect(reply.body.attachments).toHaveLength(1)
    const upload = form(
      part('name="event_id"', String(event.id)),
      part(disposition.replace('attachments', 'image'), picture, headers),
    )
    expect((await send('POST', 'api/gallery/upload', upload, { type: multipart })).status).toBe(200)
  })

  test('a part that is a picture may have its text beside it', async () => {
    const described = form(
      ...words('Look'),
      part('name="attachments[0][file]"; filename="a.jpg"', picture, jpegType),
      part('name="attachments[0][caption]"', 'Us'),
    )
    expect((await say(described, { type: multipart })).body.attachments).toHaveLength(1)
  })

  test.each([
    ['attachment', picture],
    ['files[]', picture],
    ['images[0][file]', picture],
    ['message_content', picture],
    ['constructor', picture],
    ['photo', Buffer.alloc(0)],
  ])('with a file called %s is refused, and no message is sent without it', async (name, bytes) => {
    const before = await messages()
    const body = form(...words('Look'), part(`name="${name}"; filename="a.jpg"`, bytes, jpegType))
    expect(await say(body, { type: multipart })).toMatchObject(
      says(`The form has a file under a name that is not taken: ${name}`),
    )
    expect(await messages()).toBe(before)
  })

  test('an empty part without a name, as browsers send for an empty field, is ignored', async () => {
    for (const name of ['attachments', 'photo']) {
      const empty = part(`name="${name}"; filename=""`, '', 'Content-Type: application/octet-stream\r\n')
      expect((await say(form(...words('Look'), empty), { type: multipart })).body).toMatchObject({ attachments: [] })
    }
  })

  test.each([
    ['as an attachment', 'Content-Disposition: attachment; name="attachments"; filename="a.jpg"'],
    ['as nothing', 'Content-Type: image/jpeg'],
  ])('that calls itself %s is refused rather than dropped', async (_, header) => {
    const stray = Buffer.concat([Buffer.from(`--x\r\n${header}\r\n\r\n`), picture, Buffer.from('\r\n')])
    expect(await say(form(...words('Look'), stray), { type: multipart })).toMatchObject(
      says('A part of the form is no form-data.'),
    )
  })

  test.each([
    ['JSON', JSON.stringify({ ...message('Look'), attachments: [{ uri: 'file:///a.jpg' }] }), json],
    [
      'JSON with a name in brackets',
      JSON.stringify({ ...message('Look'), 'attachments[0]': 'data:image/jpeg;base64,AA' }),
      json,
    ],
    ['a form', `group_chat_id=${chatId}&message_content=Look&attachments[0][uri]=file:///a.jpg`, urlencoded],
    ['a form with dots', `group_chat_id=${chatId}&message_content=Look&attachments.0.uri=file:///a.jpg`, urlencoded],
    [
      'a multipart form',
      String(form(...words('Look'), part('name="attachments[0][uri]"', 'file:///a.jpg'))),
      multipart,
    ],
    [
      'a multipart form in text',
      String(form(...words('Look'), part('name="attachments"', '[object Object]'))),
      multipart,
    ],
  ])('that only mentions a picture is refused: %s', async (_, body, type) => {
    const before = await messages()
    expect(await say(body, { type })).toMatchObject({
      status: 400,
      body: { attachments: ['The attachments field must be an image.'] },
    })
    expect(await messages()).toBe(before)
  })
})

describe('a time', () => {
  test.each([
    ['2032-06-20T20:00:00.000Z', '20:00:00.000'],
    ['2032-06-20T20:00:00+0200', '18:00:00.000'],
    ['2032-06-20T20:00:00+02', '18:00:00.000'],
    ['2032-06-20T20:00+02:00', '18:00:00.000'],
    ['2032-06-20T20:00Z', '20:00:00.000'],
    ['2032-06-20t20:00:00z', '20:00:00.000'],
    ['2032-06-20 20:00:00+02:00', '18:00:00.000'],
    ['2032-06-20 20:00:00 +0200', '18:00:00.000'],
    ['2032-06-20T20:00:00 02:00', '18:00:00.000'],
    ['2032-06-20T20:00:00.123456+00:00', '20:00:00.123'],
    ['2032-06-20T20:00:00.123456789Z', '20:00:00.123'],
    ['2032-06-20T20:00:00.1Z', '20:00:00.100'],
    ['2032-06-20T20:00:00,5Z', '20:00:00.500'],
    ['2032-06-20T20:00:00-05:30', '01:30:00.000'],
    ['2032-06-20T20:00:00+02:00[Europe/Berlin]', '18:00:00.000'],
  ])('%s is understood', async (written, utc) => {
    const { id } = await olivia.api.events.saveEvent(evening({ event_starts_at: written }))
    const { event_starts_at } = await olivia.api.events.readEvent({ event_id: id })
    expect(event_starts_at.slice(11, 23)).toBe(utc)
  })

  test.each([
    '2032-06-20T20:00:00',
    '2032-06-20',
    '2032-06-31T20:00:00Z',
    '2032-13-01T20:00:00Z',
    '2032-06-20T25:00:00Z',
    '2032-06-20T24:00:00Z',
    '2032-06-20T20:00:61Z',
    '2032-06-20T20:00:00+24:00',
    '2032-06-20T20:00:00+0260',
    '2032-06-20T20:00:00ZZ',
    '20 June 2032 20:00 UTC',
    '1781985600',
  ])('%s is refused as an invalid date', async written => {
    const reply = await send('POST', 'api/event', JSON.stringify(evening({ event_starts_at: written })), {
      token: olivia.token,
    })
    expect(reply).toMatchObject({
      status: 400,
      body: { event_starts_at: ['The event starts at field must be a valid date.'] },
    })
  })
})

describe('a DELETE', () => {
  test.each([
    ['the query', (emoji: string) => [`?message_reaction=${encodeURIComponent(emoji)}`]],
    ['a body', (emoji: string) => ['', JSON.stringify({ message_reaction: emoji })]],
  ])('takes its fields in %s', async (_, ask) => {
    const { id } = await gus.api.chats.saveMessage(message('React'))
    for (const emoji of ['🎉', '🔥'])
      await gus.api.chats.reactToMessage({ message_id: Number(id), message_reaction: emoji })
    const [query, body] = ask('🎉')
    const reply = await send('DELETE', `api/message/react/${id}${query}`, body)
    expect(reply.body.reactions.map(({ message_reaction }: { message_reaction: string }) => message_reaction)).toEqual([
      '🔥',
    ])
  })
})

describe('a misplaced field name that would change the meaning', () => {
  test('is refused, and nothing happens', async () => {
    const { id } = await gus.api.chats.saveMessage(message('React'))
    await gus.api.chats.reactToMessage({ message_id: Number(id), message_reaction: '🎉' })
    expect(await send('DELETE', `api/message/react/${id}?comment_reaction=🔥`)).toMatchObject({
      status: 400,
      body: {
        comment_reaction: ['The comment reaction field is not known here: it is called message_reaction.'],
      },
    })
    const { reactions } =
      (await gus.api.chats.listMessages({ group_chat_id: chatId, page: 1, page_length: 1 })).data[0] ?? {}
    expect(reactions).toHaveLength(1)
  })

  test.each([
    ['link_scope', 'guests', 'The link scope field is not known here: it is called kind.'],
    ['link_pin', '1234', 'The link pin field is not known here: it is called pin.'],
  ])('is refused where it would make another link: %s', async (field, value, sentence) => {
    const body = JSON.stringify({ event_id: event.id, [field]: value })
    const reply = await send('POST', 'api/event/link', body, { token: olivia.token })
    expect(reply).toMatchObject({ status: 400, body: { [field]: [sentence] } })
    const { data } = await olivia.api.links.listLinks({ event_id: event.id, page: 1, page_length: 10 })
    expect(data).toEqual([])
  })

  test('is accepted for a reaction to a comment, whose own field would be missing otherwise', async () => {
    const photo = await gus.api.gallery.uploadPhoto({ event_id: event.id, image: new Blob([new Uint8Array(picture)]) })
    const { id } = await gus.api.gallery.saveComment({ event_photo_id: Number(photo.id), event_photo_comment: 'Nice' })
    const reply = await send('PUT', `api/gallery/comment/react/${id}`, '{"message_reaction":"🔥"}')
    expect(reply).toMatchObject({ status: 400 })
    expect((await send('PUT', `api/gallery/comment/react/${id}`, '{"comment_reaction":"🔥"}')).status).toBe(200)
    // A reply names its photo through the comment.
    const answered = await send(
      'POST',
      'api/gallery/comment',
      JSON.stringify({ event_photo_comment_reply_id: id, event_photo_comment: 'Yes' }),
    )
    expect(answered).toMatchObject({ status: 201, body: { event_photo_comment: 'Yes' } })
    expect(await send('POST', 'api/gallery/comment', '{"event_photo_comment":"Yes"}')).toMatchObject({
      status: 400,
      body: { event_photo_id: ['The event photo id field is required.'] },
    })
  })
})

test('a stranger without a token is refused before a body is read, whatever it contains', async () => {
  const stranger = await enter(app, 'sam')
  await stranger.api.accounts.logout({})
  const reply = await send('POST', 'api/account/settings/update', '_method=DELETE', {
    type: urlencoded,
    token: stranger.token,
  })
  expect(reply.status).toBe(401)
})
