import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@afterglow/contract/operations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildsPerMinute, filesPerMinute } from '../src/plans/calendar-routes.ts'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { msPerMinute, msPerMinuteMax } from './cost.ts'
import { evening } from './party.ts'

/*
 * Requests without a sign-in have a limited cost: all that one source may send in a minute costs the process no more
 * than ten seconds, in a world as large as it gets.
 */

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const { id: event_id } = await olivia.api.events.saveEvent(
  evening({ event_description: 'é,\n'.repeat(1600), event_visibility: 1 }),
)
await sql`
  with zones (n, zone) as (values (0, 'Europe/Berlin'), (1, 'America/New_York'), (2, 'Asia/Kathmandu'), (3, 'Africa/Casablanca')),
  made as (
    insert into events (name, description, starts_at, timezone, created_by, guests_count)
    select 'Event ' || day, repeat('é, and so on; ', 330), now() + day * interval '1 day', zone, ${olivia.id}, 1
    from generate_series(1, 1000) day join zones on zones.n = day % 4 returning id
  ), chats as (insert into group_chats (event_id) select id from made)
  insert into guests (event_id, user_id, role) select id, ${olivia.id}, 'owner' from made`.execute(app.db)
await sql`
  with crowd as (
    insert into users (first_name, last_name, username, email, status, timezone)
    select 'Guest', n::text, 'crowd' || n, 'crowd' || n || '@example.com', 5, 'UTC' from generate_series(1, 3000) n returning id
  )
  insert into guests (event_id, user_id) select ${event_id}, id from crowd`.execute(app.db)
await sql`analyze`.execute(app.db)

const link = await olivia.api.links.makeLink({ event_id })
const look = await olivia.api.links.makeLink({ event_id, kind: 'look' })
const feed = (await olivia.api.plans.makeCalendarFeed()).calendar_feed_url as string
const file = (await olivia.api.plans.linkCalendar({ event_id })).event_calendar_url
const code = link.link_code
const here = (path: string) => `${app.url}${path}`
/** Makes sure no cache answers. */
const change = () => sql`update events set updated_at = clock_timestamp() where id = ${event_id}`.execute(app.db)

/** A source that stays unnoticed otherwise sends requests without a limit this often. */
const unlimited = 1000
const openOf = (name: string) => operations.find(operation => operation.name === name)?.perMinute ?? 0

type Route = Parameters<typeof msPerMinute>[0]
const routes: Record<string, Route> = {
  '/calendar/:code.ics': { url: feed, perMinute: buildsPerMinute, first: change },
  '/calendar/event/:id.ics': { url: file, perMinute: filesPerMinute, first: change },
  '/j/:code/event.ics': { url: here(`/j/${code}/event.ics`), perMinute: filesPerMinute, first: change },
  '/cover.jpg': { url: here('/cover.jpg'), perMinute: unlimited },
  '/j/:code/cover.jpg': { url: here(`/j/${code}/cover.jpg`), perMinute: unlimited },
  '/events/:id/cover.jpg': { url: here(`/events/${event_id}/cover.jpg`), perMinute: unlimited },
  '/j/:code/${name}': { url: here(`/j/${code}/qr.png`), perMinute: unlimited },
  '/docs': { url: here('/docs'), perMinute: 300 },
  '/docs/js/scalar.js': { url: here('/docs/js/scalar.js'), perMinute: 300 },
  '/healthz': { url: here('/healthz'), perMinute: unlimited },
  '/readyz': { url: here('/readyz'), perMinute: unlimited },
  '/unsubscribe/:code': { url: here('/unsubscribe/none'), perMinute: unlimited },
  '/undo-email/:code': { url: here('/undo-email/none'), perMinute: 300 },
  ...Object.fromEntries(
    operations
      .filter(({ open, at }) => open && at[0]?.[0] === 'GET')
      .map(({ name, at }) => {
        const path = (at[0]?.[1] ?? '').replace('{code}', name === 'viewByLink' ? look.link_code : code)
        return [name, { url: here(`/${path}`), perMinute: openOf(name) }]
      }),
  ),
}
/** Served from memory elsewhere, with a bearer or a signature, or for the operator alone. */
const elsewhere = new Set(['/*', '/metrics'])

test('every address without a bearer has its cost here', () => {
  const sources = join(import.meta.dirname, '../src')
  const registered = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap(name => [
      ...readFileSync(join(sources, name), 'utf8').matchAll(/server\.get(?:<[^(]*>)?\(\s*['`]([^'`]+)['`]/g),
    ])
    .map(([, path]) => path as string)
  expect(registered.length).toBeGreaterThan(8)
  expect(registered.filter(path => !(path in routes) && !elsewhere.has(path))).toEqual([])
})

test.each(Object.entries(routes))('%s', async (_, { url, perMinute, first }) => {
  expect(await msPerMinute({ url, perMinute, first })).toBeLessThan(msPerMinuteMax)
})
