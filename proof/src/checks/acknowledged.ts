import type { Json } from '../http.ts'
import type { AcknowledgedWrite } from '../ledger.ts'
import { demand } from '../people/party.ts'
import { pixelsOf } from '../people/pictures.ts'
import type { TestBed } from '../test-bed.ts'

type StoredMessage = { id: number; place: number; author: number; text: string; deleted: boolean }

/** I1: everything acknowledged is in the database and readable over HTTP exactly once, and nothing else is there. */
export const checkAcknowledged = async (testBed: TestBed): Promise<void> => {
  const { ledger, report, service } = testBed
  const messages = await service.sql<StoredMessage>(
    'select id, group_chat_id as place, user_id as author, content as text, deleted_at is not null as deleted from messages',
  )
  const comments = await service.sql<StoredMessage>(
    'select id, photo_id as place, user_id as author, text, deleted_at is not null as deleted from comments',
  )
  compare(testBed, 'message', messages)
  compare(testBed, 'comment', comments)
  const believedPhotos = ledger.believed.filter(({ kind }) => kind === 'photo')
  const photos = await service.sql<{ id: number }>('select id from photos where deleted_at is null')
  const attempted = [...ledger.attempts.values()].filter(({ kind }) => kind === 'photo').length
  const photoIds = new Set(photos.map(({ id }) => id))
  const lost = believedPhotos
    .filter(({ id }) => !photoIds.has(id))
    .map(one => `photo ${one.id} was acknowledged and is not there`)
  const doubled = twiceAmong(believedPhotos.map(({ id }) => id)).map(
    id => `two uploads were both answered with photo ${id}`,
  )
  if (photos.length > attempted) doubled.push(`${photos.length} photos stand after ${attempted} uploads`)
  report.checked('I1', photos.length, [...lost, ...doubled])
  await checkMarks(testBed)
  await checkShown(testBed)
}

const compare = ({ ledger, report }: TestBed, kind: 'message' | 'comment', stored: StoredMessage[]) => {
  const found: string[] = []
  const byId = new Map(stored.map(row => [row.id, row]))
  for (const one of ledger.believed.filter(one => one.kind === kind)) {
    const row = byId.get(one.id)
    if (!row) found.push(`${kind} ${one.id} ("${one.texts[0]}") was acknowledged and is not there`)
    else found.push(...differences(kind, one, row))
  }
  for (const text of twiceAmong(stored.filter(({ text }) => text !== '').map(({ text }) => text)))
    found.push(`${kind} "${text}" was sent once and is there twice`)
  for (const { id, text, deleted } of stored)
    if (!deleted && !ledger.attempts.has(text)) found.push(`${kind} ${id} says "${text}", which nobody ever said`)
  report.checked('I1', stored.length, found)
}

const differences = (
  kind: string,
  one: AcknowledgedWrite,
  { place, author, text, deleted }: StoredMessage,
): string[] => {
  const [before, after] = [one.texts.at(-2), one.texts.at(-1)]
  const right = one.changing
    ? [before, after].includes(text) || deleted
    : one.deleted
      ? deleted
      : text === after && !deleted
  if (!right)
    return [
      `${kind} ${one.id} should ${one.deleted ? 'be deleted' : `say "${after}"`}, and ${deleted ? 'is deleted' : `says "${text}"`}`,
    ]
  return place === one.place && author === one.author
    ? []
    : [`${kind} ${one.id} stands in another place or under another name`]
}

const twiceAmong = <Item>(items: readonly Item[]): Item[] => {
  const seen = new Set<Item>()
  return items.filter(item => seen.has(item) || !seen.add(item))
}

const checkMarks = async ({ ledger, report, service }: TestBed) => {
  const deleted = new Set(ledger.believed.filter(one => one.deleted || one.changing).map(({ id }) => id))
  const reactions = await service.sql('select message_id, user_id, emoji from message_reactions')
  const likes = await service.sql('select photo_id, user_id from photo_likes')
  const there = new Set([
    ...reactions.map(row => `reaction ${row.message_id} ${row.user_id} ${row.emoji}`),
    ...likes.map(row => `like ${row.photo_id} ${row.user_id}`),
  ])
  const lost = ledger.marks
    .filter(({ kind, to }) => kind === 'like' || !deleted.has(to))
    .filter(({ kind, by, to, emoji }) => !there.has([kind, to, by, emoji].filter(Boolean).join(' ')))
  report.checked(
    'I1',
    ledger.marks.length,
    lost.map(mark => `${JSON.stringify(mark)} was acknowledged and is not there`),
  )
}

/** Checks the same over HTTP, as a guest reads it. */
const checkShown = async ({ ask, ledger, party, report }: TestBed) => {
  const reader = party.organizer
  const found: string[] = []
  let things = 0
  for (const { chatId } of [party.loud, party.quiet]) {
    const shown = new Map<number, Json>(
      (await wholeList(ask, reader.token, 'api/message/list', { group_chat_id: chatId })).map(one => [
        Number(one.id),
        one,
      ]),
    )
    for (const one of ledger.believed.filter(({ kind, place }) => kind === 'message' && place === chatId)) {
      things += 1
      const { message_content: text } = shown.get(one.id) ?? {}
      if (text === undefined) found.push(`message ${one.id} was acknowledged and is in no list`)
      else if (one.deleted && text !== '') found.push(`message ${one.id} was deleted and its list still says "${text}"`)
      else if (!one.deleted && !one.changing && text !== one.texts.at(-1))
        found.push(`message ${one.id} should say "${one.texts.at(-1)}", and its list says "${text}"`)
    }
  }
  const photos = await wholeList(ask, reader.token, `api/gallery/photos/${party.loud.eventId}`, {})
  const byId = new Map(photos.map(photo => [Number(photo.id), photo]))
  for (const one of ledger.believed.filter(({ kind }) => kind === 'photo')) {
    things += 1
    const photo = byId.get(one.id)
    if (!photo) {
      found.push(`photo ${one.id} was acknowledged and is in no list`)
      continue
    }
    for (const url of [photo.event_photo_url, photo.event_photo_preview_url]) {
      const { status, bytes } = await ask('GET', atTestBed(url, photo))
      const pixels = status === 200 ? await pixelsOf(bytes) : undefined
      if (status !== 200) found.push(`photo ${one.id} is answered with ${status} at its own address`)
      else if (pixels === undefined) found.push(`photo ${one.id} cannot be decoded`)
      else if (url === photo.event_photo_url && pixels !== one.texts[0])
        found.push(`photo ${one.id} shows something else than what was uploaded`)
    }
  }
  report.checked('I1', things, found)
}

/** Rewrites a signed URL to the address that this test bed uses. */
export const atTestBed = (url: string, _of?: unknown) => {
  const { pathname, search } = new URL(url)
  return `${pathname.slice(1)}${search}`
}

/** Reads every page of a list. */
export const wholeList = async (
  ask: TestBed['ask'],
  token: string,
  path: string,
  query: Record<string, string | number>,
  pageLength = 100,
): Promise<Json[]> => {
  const all: Json[] = []
  for (let page = 1; ; page++) {
    const text = new URLSearchParams({ ...query, page: String(page), page_length: String(pageLength) } as Record<
      string,
      string
    >)
    const { data, next_page_url } = await demand(ask, 'GET', `${path}?${text}`, { token })
    all.push(...data)
    if (next_page_url === null) return all
  }
}
