import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const names = ['gus', 'asha', 'sam', 'remy', 'gwen', 'rita', 'ana'] as const
const asking = await Promise.all(names.map(name => enter(app, name)))
const [gus, asha, , remy] = asking
const starts = new Date(Date.now() + 86_400_000).toISOString()
const { id: event_id } = await olivia.api.events.saveEvent({ event_name: 'full house', event_starts_at: starts })

test('pages of the line repeat nobody and lose nobody while people leave it, are let in and ask again', async () => {
  for (const one of asking) await one.api.events.askToJoin({ event_id })
  await asha?.api.events.withdrawJoinRequest({ event_id })
  await olivia.api.events.approveJoinRequest({ event_id, user_id: remy?.id ?? 0 })
  await gus?.api.events.withdrawJoinRequest({ event_id })
  await gus?.api.events.askToJoin({ event_id })

  const pages = await Promise.all(
    [1, 2, 3, 4].map(page => olivia.api.events.listJoinRequests({ event_id, page, page_length: 2 })),
  )
  expect(pages.map(({ data }) => data.map(({ user_username }) => user_username.split('.')[0]))).toEqual([
    ['sam', 'gwen'],
    ['rita', 'ana'],
    ['gus'],
    [],
  ])
  expect(pages.map(({ next_page_url }) => next_page_url !== null)).toEqual([true, true, false, false])
})
