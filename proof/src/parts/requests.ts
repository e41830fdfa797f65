import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { checkCounts } from '../checks/counts.ts'
import { checkFiles } from '../checks/files.ts'
import { checkSecrets } from '../checks/secrets.ts'
import type { Asking, Json, Reply } from '../http.ts'
import type { Part } from '../part.ts'
import { hostileBodies, hostileIds, hostileValue } from '../people/hostile-values.ts'
import { demand, type Party, type Person, throwParty } from '../people/party.ts'
import { pictureOf } from '../people/pictures.ts'
import type { Random } from '../random.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

type Operation = {
  id: string
  method: string
  path: string
  parameters: { name: string; in: string; required?: boolean; schema: Json }[]
  body: { schema: Json; isForm: boolean } | undefined
  statuses: ReadonlySet<number>
  open: boolean
  /** Validates a success against the document; undefined if it documents no body. */
  isRight: ValidateFunction | undefined
}

const plantedText = 'planted: only who is in the event reads this'

/** Reads the operations from the service's own API document. */
const readOperations = async ({ ask }: TestBed): Promise<Operation[]> => {
  const document = await demand(ask, 'GET', 'api/openapi.json')
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]): Operation => {
      const content = described.requestBody?.content ?? {}
      const form = content['multipart/form-data']
      const schema = (form ?? content['application/json'])?.schema
      const pointer = `document#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/200/content/application~1json/schema`
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path: path.slice(1),
        parameters: (described.parameters ?? []).map(({ schema = {}, ...one }: Json) => ({ ...one, schema })),
        body: schema && { schema, isForm: form !== undefined },
        statuses: new Set(Object.keys(described.responses).map(Number)),
        open: described.security !== undefined,
        isRight: described.responses['200']?.content?.['application/json']
          ? ajv.compile({ $ref: encodeURI(pointer) })
          : undefined,
      }
    }),
  )
}

/** Existing IDs by field name. */
type Known = { party: Party; ids: Record<string, number[]> }

const prepare = async (testBed: TestBed): Promise<Known> => {
  const { ask, random } = testBed
  const party = await throwParty(ask, 1)
  const writer = party.writers[0] as Person
  const say = (message_content: string) =>
    demand(ask, 'POST', 'api/message', {
      token: writer.token,
      form: { group_chat_id: party.loud.chatId, message_content },
    })
  const messages = [await say(plantedText), await say('another')]
  const { bytes } = await pictureOf(random)
  const files = [{ field: 'image', name: 'a.jpg', type: 'image/jpeg', bytes }]
  const photo = await demand(ask, 'POST', 'api/gallery/upload', {
    token: writer.token,
    form: { event_id: party.loud.eventId },
    files,
  })
  const comment = await demand(ask, 'POST', 'api/gallery/comment', {
    token: writer.token,
    json: { event_photo_id: Number(photo.id), event_photo_comment: plantedText },
  })
  const messageIds = messages.map(({ id }) => Number(id))
  return {
    party,
    ids: {
      event_id: [party.loud.eventId, party.quiet.eventId],
      group_chat_id: [party.loud.chatId, party.quiet.chatId],
      message_id: messageIds,
      message_reply_id: messageIds,
      event_photo_id: [Number(photo.id)],
      event_photo_comment_id: [comment.id],
      event_photo_comment_reply_id: [comment.id],
      comment_reaction_id: [comment.id],
      user_id: [writer.id, party.stranger.id, party.organizer.id],
    },
  }
}

const validValue = (name: string, schema: Json, random: Random, { ids }: Known): unknown => {
  const known = ids[name]
  if (known) return random.pick(known)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return validValue(name, schema.anyOf[0], random, { ids } as Known)
  if (name === 'page') return random.whole(1, 3)
  if (name === 'page_length') return random.whole(1, 100)
  if (schema.type === 'integer' || schema.type === 'number')
    return random.whole(schema.minimum ?? 1, Math.min(schema.maximum ?? 50, 1000))
  if (schema.type === 'boolean') return random.chance(0.5)
  if (schema.type === 'array') return [validValue(name, schema.items ?? {}, random, { ids } as Known)]
  if (schema.format === 'date-time') return new Date(Date.now() + random.whole(-1e9, 1e10)).toISOString()
  if (/email/.test(name)) return `drawn${random.whole(0, 1e9)}@planted.example`
  if (/timezone/.test(name)) return 'Europe/Madrid'
  if (/reaction/.test(name)) return '👍'
  return `drawn ${random.whole(0, 1e9)}`.slice(0, Math.max(schema.minLength ?? 1, Math.min(schema.maxLength ?? 30, 30)))
}

/** These requests end the caller's session or account, so they come last. */
const ending =
  /logout|password|refresh|deleteAccount|claim|deleteEvent|cancelEvent|removeGuest|leaveEvent|deletePhoto$|forgot|reset/i
const refreshEvery = 400

const draw = async (run: Run) => {
  await onTestBed(run, async testBed => {
    const operations = await readOperations(testBed)
    const { random, report } = run
    let known = await prepare(testBed)
    const covered = new Map<string, Set<number>>()
    const atOnce = 4
    for (let nth = 0; nth < run.count && !run.signal.aborted; nth += atOnce) {
      if (nth % refreshEvery === 0 && nth > 0) known = await prepare(testBed)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, run.count - nth) }, async () => {
          const operation = random.pick(operations)
          if (ending.test(operation.id) && !random.chance(0.1)) return
          const who = personIn(known.party, random)
          const asked = requestTo(operation, random, known)
          report.fault()
          const reply = await testBed
            .ask(operation.method, asked.path, { ...asked, token: who.token, timeoutMs: 60_000 })
            .catch((fault: Error) => fault)
          covered.set(
            operation.id,
            (covered.get(operation.id) ?? new Set()).add(reply instanceof Error ? 0 : reply.status),
          )
          report.checked('I9', 1, judge(operation, who, reply, asked.path))
          report.checked(
            'I5',
            1,
            (await leaks(testBed, known.party, who, reply)).map(words => `${operation.method} ${asked.path}: ${words}`),
          )
        }),
      )
    }
    const never = operations.filter(({ id }) => !covered.get(id)?.has(200) && !covered.get(id)?.has(201))
    report.note(`${covered.size} of ${operations.length} operations asked; never with success: ${never.length}`)
    await checkCounts(testBed)
    await checkFiles(testBed)
    await checkSecrets(testBed)
  })
}

type Who = { name: string; id?: number; token: string | undefined; inside: boolean }
const personIn = (party: Party, random: Random): Who => {
  const of = ({ id, name, token }: Person, inside: boolean) => ({ id, name, token, inside })
  return random.weighted<Who>([
    [4, of(party.organizer, true)],
    [4, of(party.writers[0] as Person, true)],
    [2, of(party.stranger, false)],
    [2, of(party.removed, false)],
    [1, { name: 'nobody', token: undefined, inside: false }],
    [1, { name: 'a false token', token: 'planted-token-of-nobody', inside: false }],
  ])
}

const requestTo = (
  { path, parameters, body, method }: Operation,
  random: Random,
  known: Known,
): Asking & { path: string } => {
  // Most requests have a single fault: a request with many is refused by the first check.
  const wrongness = random.weighted([
    [4, 0],
    [4, 0.25],
    [2, 1],
  ])
  const value = (name: string, schema: Json) =>
    random.chance(wrongness) ? hostileValue(random) : validValue(name, schema, random, known)
  let filled = path
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  for (const { name, in: where, required, schema } of parameters) {
    if (where === 'path') {
      const text = random.chance(wrongness) ? random.pick(hostileIds) : String(validValue(name, schema, random, known))
      filled = filled.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()) || '%20')
    } else if (where === 'query' && (required || random.chance(0.4)))
      query.append(name, String(value(name, schema)).toWellFormed().slice(0, 4000))
    else if (where === 'header' && random.chance(0.3))
      headers[name] = `drawn-${random.whole(0, 1e6)}-with-enough-letters`
  }
  const target = query.size > 0 ? `${filled}?${query}` : filled
  if (!body || method === 'GET') return { path: target, headers }
  if (random.chance(0.1))
    return {
      path: target,
      headers: { ...headers, 'content-type': 'application/json' },
      raw: Buffer.from(random.pick(hostileBodies), 'latin1'),
    }
  const fields: Record<string, Json> = {}
  const files: NonNullable<Asking['files']>[number][] = []
  for (const [name, schema] of Object.entries<Json>(body.schema.properties ?? {})) {
    const isNeeded = body.schema.required?.includes(name)
    if (!isNeeded && !random.chance(0.4)) continue
    const isFile =
      schema.contentMediaType === 'application/octet-stream' ||
      schema.items?.contentMediaType === 'application/octet-stream'
    if (isFile)
      files.push({ field: name, name: 'a.jpg', type: 'image/jpeg', bytes: random.bytes(random.whole(0, 300)) })
    else fields[name] = value(name, schema)
  }
  if (body.isForm || files.length > 0)
    return {
      path: target,
      headers,
      form: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, String(one)])),
      files,
    }
  return { path: target, headers, json: fields }
}

const judge = (
  { method, statuses, open, isRight }: Operation,
  who: Who,
  reply: Reply | Error,
  path: string,
): string[] => {
  const what = `${method} ${path.slice(0, 200)} of ${who.name}`
  if (reply instanceof Error) return [`${what} got no reply: ${reply.message}`]
  const { status, body, bytes } = reply
  const found: string[] = []
  if (
    status >= 400 &&
    /\n\s+at |node_modules|\/server\/src|select |relation "|syntax error/.test(bytes.toString('utf8', 0, 2000))
  )
    found.push(`${what} tells how we are made: ${bytes.toString('utf8', 0, 200)}`)
  if (!open && who.token === undefined && status !== 401)
    found.push(`${what}, without a token, was answered with ${status}`)
  if (status < 500 && !statuses.has(status))
    found.push(`${what} was answered with ${status}, which its document does not know`)
  if (status === 200 && isRight && !isRight(body))
    found.push(
      `${what} was answered with another shape than documented: ${isRight.errors?.[0]?.instancePath} ${isRight.errors?.[0]?.message}`,
    )
  return found
}

const leaks = async (
  { service }: TestBed,
  { loud }: Party,
  { name, id, inside }: Who,
  reply: Reply | Error,
): Promise<string[]> => {
  if (inside || reply instanceof Error || !reply.bytes.includes(plantedText)) return []
  // A random request of the organizer may have admitted them.
  const guests = await service.sql<{ user_id: number }>(
    'select user_id from guests where event_id = $1 and user_id = $2 and ended_at is null',
    [loud.eventId, id ?? 0],
  )
  return guests.length > 0 ? [] : [`${name} was told what only who is in the event may read`]
}

export const requests: Part = {
  name: 'requests',
  promise: 'requests drawn from the contract, right, nearly right and hostile, as everybody of the cast',
  of: 'requests',
  slice: 2500,
  full: 1_000_000,
  run: draw,
}
