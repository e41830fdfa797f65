import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const photosPerGuest = 2
const app = await openTestApp({ photosPerGuest })
const { olivia, gus, asha } = await party(app)

let seed = 0
const picture = async () => {
  seed += 1
  return new Blob([new Uint8Array(await jpeg({ width: 64, height: 48, seed }))])
}
const tooMany = { status: 400, body: { error: "You've exceeded the maximum number of photos allowed to be uploaded." } }
const partyOf = async () => {
  const { id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, asha]) await bringIn(olivia, id, guest)
  return id
}
const add = async ({ api }: typeof gus, event_id: number) =>
  api.gallery.uploadPhoto({ event_id, image: await picture() })
const addAtOnce = async (by: typeof gus, event_id: number, count: number) =>
  (await Promise.allSettled(Array.from({ length: count }, () => add(by, event_id)))).filter(
    ({ status }) => status === 'fulfilled',
  ).length

test('an organizer raises one person’s limit, and simultaneous photos do not exceed it', async () => {
  const event_id = await partyOf()
  expect(await olivia.api.gallery.allowPhotos({ event_id, user_id: gus.id, photos_max: 5 })).toEqual({
    event_id,
    user_id: gus.id,
    person_photos_max: 5,
    event_photos_max: null,
    photos_max: 5,
    photos_count: 0,
    trusted: false,
  })
  expect(await addAtOnce(gus, event_id, 9)).toBe(5)
  expect(await refusal(add(gus, event_id))).toEqual(tooMany)
  expect(await addAtOnce(asha, event_id, 4)).toBe(photosPerGuest)
  expect(await gus.api.gallery.readAllowance({ event_id })).toMatchObject({ photos_max: 5, photos_count: 5 })
})

test('a limit for everybody applies to people without one of their own, and null resets it', async () => {
  const event_id = await partyOf()
  await olivia.api.gallery.allowPhotos({ event_id, photos_max: 3 })
  await olivia.api.gallery.allowPhotos({ event_id, user_id: asha.id, photos_max: 0 })
  expect(await addAtOnce(gus, event_id, 5)).toBe(3)
  expect(await refusal(add(asha, event_id))).toEqual(tooMany)
  await olivia.api.gallery.allowPhotos({ event_id, user_id: asha.id, photos_max: null })
  await olivia.api.gallery.allowPhotos({ event_id, photos_max: null })
  expect(await addAtOnce(asha, event_id, 5)).toBe(photosPerGuest)
  // Photos above the limit stay.
  expect(await olivia.api.gallery.readAllowance({ event_id, user_id: gus.id })).toMatchObject({
    person_photos_max: null,
    event_photos_max: null,
    photos_max: photosPerGuest,
    photos_count: 3,
  })
  const { data } = await olivia.api.events.listAudit({ event_id, page: 1, page_length: 10 })
  expect(data.filter(({ audit_act }) => audit_act.endsWith('.allowed')).map(({ about }) => about?.id ?? null)).toEqual([
    null,
    asha.id,
    asha.id,
    null,
  ])
})

test('resumable uploads count towards it too', async () => {
  const event_id = await partyOf()
  await olivia.api.gallery.allowPhotos({ event_id, user_id: gus.id, photos_max: 1 })
  const open = () =>
    fetch(`${app.url}/api/gallery/upload/session`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${gus.token}`,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '100',
        'Upload-Metadata': `event_id ${btoa(String(event_id))},kind ${btoa('image')}`,
      },
    }).then(({ status }) => status)
  expect((await Promise.all([open(), open(), open()])).sort()).toEqual([201, 400, 400])
})

test('guests set no limits and see only their own; unknown people have none', async () => {
  const event_id = await partyOf()
  const { id: elsewhere } = await olivia.api.events.saveEvent(evening())
  const notOrganizer = says('The user is not an organizer of the event')
  expect(await refusal(gus.api.gallery.allowPhotos({ event_id, photos_max: 900 }))).toEqual(notOrganizer)
  expect(await refusal(gus.api.gallery.readAllowance({ event_id, user_id: asha.id }))).toEqual(notOrganizer)
  const absent = olivia.api.gallery.allowPhotos({ event_id: elsewhere, user_id: gus.id, photos_max: 900 })
  expect(await refusal(absent)).toEqual(notFound('User not found!'))
  expect(await refusal(olivia.api.gallery.allowPhotos({ event_id, photos_max: 100_001 }))).toEqual(
    invalid('photos_max', 'The photos max field must not be greater than 100000.'),
  )
  expect(await gus.api.gallery.readAllowance({ event_id })).toMatchObject({ photos_max: photosPerGuest })
})
