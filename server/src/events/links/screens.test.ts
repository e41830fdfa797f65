import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus } = await party(app)
const paged = { page: 1, page_length: 100 }

let devices = 0
/** A link, and a way to open it from an address on a device. */
const open = async (kind: 'screen' | 'look') => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const link = await olivia.api.links.makeLink({ event_id, kind })
  const view = async (from?: number) => {
    devices += 1
    const { token } = await app.as().links.viewByLink({ code: link.link_code, device_id: `screen ${devices}` })
    const rows = await sql<{ id: number }>`
      update devices set came_from = coalesce(${from === undefined ? null : Buffer.from([from])}::bytea, came_from)
      where device_id = ${`screen ${devices}`} returning id`.execute(app.db)
    return { id: rows.rows[0]?.id ?? 0, api: app.as(token) }
  }
  return { event_id, link, view }
}
const status = (api: ReturnType<typeof app.as>, event_id: number) =>
  api.events.readEvent({ event_id }).then(
    () => 200,
    error => error.status,
  )

test('an organizer lists the screens of an event and ends one of them, and the others go on', async () => {
  const { event_id, link, view } = await open('screen')
  const [one, other] = [await view(), await view()]
  const listed = await olivia.api.links.listScreens({ event_id, ...paged })
  expect(listed.data).toMatchObject([
    { id: other.id, event_id, link_id: link.id },
    { id: one.id, event_id, link_id: link.id },
  ])
  expect(await olivia.api.links.endScreen({ screen_id: one.id })).toEqual({ done: true })
  expect([await status(one.api, event_id), await status(other.api, event_id)]).toEqual([401, 200])
  expect(await olivia.api.links.endScreen({ screen_id: one.id })).toEqual({ done: true })
  const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
  expect(data[0]).toMatchObject({ audit_act: 'screen.ended', subject_id: one.id })
})

test('nobody else ends a screen, and there is no screen for a guest’s own session', async () => {
  const { event_id, view } = await open('screen')
  const { id: screen_id } = await view()
  await bringIn(olivia, event_id, gus)
  expect(await refusal(gus.api.links.endScreen({ screen_id }))).toEqual(
    says('The user is not an organizer of the event'),
  )
  const { rows } = await sql<{ id: number }>`select id from devices where user_id = ${gus.id}`.execute(app.db)
  expect(await refusal(olivia.api.links.endScreen({ screen_id: rows[0]?.id ?? 0 }))).toEqual(
    notFound('Screen not found!'),
  )
})

test('twenty views from one address make room for the venue’s laptop, and it for none of them', async () => {
  const { event_id, view } = await open('screen')
  const views: Awaited<ReturnType<typeof view>>[] = []
  for (let n = 0; n < 20; n += 1) views.push(await view(1))
  const laptop = await view()
  expect(await status(laptop.api, event_id)).toBe(200)
  expect(await Promise.all(views.map(each => status(each.api, event_id)))).toEqual([...Array(19).fill(200), 401])
})

test('where no network has more than its share, the screen that has asked for nothing for an hour makes room, or nobody', async () => {
  const { event_id, view } = await open('screen')
  const views: Awaited<ReturnType<typeof view>>[] = []
  for (let n = 0; n < 20; n += 1) views.push(await view(n % 4))
  expect(await refusal(view())).toEqual(says('This link is open on as many devices as it can be'))
  await sql`update devices set last_used_at = now() - interval '2 hours' where id = ${views[5]?.id ?? 0}`.execute(
    app.db,
  )
  await view()
  const left = (await olivia.api.links.listScreens({ event_id, ...paged })).data.map(({ id }) => id)
  expect(left).not.toContain(views[5]?.id)
  expect(left).toHaveLength(20)
})
