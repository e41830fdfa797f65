import { photographerPhotosMax } from '@afterglow/contract/limits'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { wrongEvents } from '../../../test/event-state.ts'
import { evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { invalid, refusal } from '../../../test/refused.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const picture = new Blob([await png({ width: 24, height: 16, seed: 3 })])
const paged = { page: 1, page_length: 50 }

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

const joinBy = async (code: string, user_first_name: string) => {
  const { token } = await app.as().links.joinByLink({ code, user_first_name })
  return { api: app.as(token), extra: app.withExtra(token) }
}

test('whoever comes by the photographer’s link may add thousands of photos, which say so until they are a guest', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  const link = await olivia.api.links.makeLink({ event_id, kind: 'drop', photographer: true })
  expect(link).toMatchObject({ link_kind: 'drop', link_photographer: true })
  expect(await app.as().links.openLink({ code: link.link_code })).toMatchObject({ link_photographer: true })
  const petra = await joinBy(link.link_code, 'Petra')
  expect(await petra.api.gallery.readAllowance({ event_id })).toMatchObject({ photos_max: photographerPhotosMax })
  const own = await petra.extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(own.extra).toMatchObject({ photographer: true })
  const marks = async () =>
    (await olivia.extra.gallery.listPhotos({ event_id, ...paged })).data.map(({ extra }) => extra?.photographer)
  expect(await marks()).toEqual([true, false])

  const guests = await olivia.api.links.makeLink({ event_id })
  await petra.api.links.joinByLink({ code: guests.link_code })
  await petra.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(await marks()).toEqual([false, true, false])
})

test('nobody else is a photographer: neither who adds photos by another link, nor who is a guest', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const kind of ['guest', 'look', 'screen'] as const)
    expect(await refusal(olivia.api.links.makeLink({ event_id, kind, photographer: true }))).toEqual(
      invalid('photographer', 'The selected photographer is invalid.'),
    )
  const { link_code, link_photographer } = await olivia.api.links.makeLink({ event_id, kind: 'drop' })
  expect(link_photographer).toBe(false)
  const fabio = await joinBy(link_code, 'Fabio')
  const own = await fabio.extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(own.extra).toMatchObject({ photographer: false })
  expect((await fabio.api.gallery.readAllowance({ event_id })).photos_max).toBeLessThan(photographerPhotosMax)
})
