import { type LinkKind, linkKinds } from '@afterglow/contract/capabilities'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { bringIn, evening } from '../../test/party.ts'
import { notFound, refusal } from '../../test/refused.ts'
import { preloadsFrom } from '../platform/web-client/preloads.ts'

/* Kinds of links × settings of the event × what shows it: what a stranger may know is decided here. */

const page = '<!doctype html><head><meta name="description" content="In one place." /><title>Afterglow</title></head>'
const webClient = { current: () => ({ page, ahead: preloadsFrom(undefined), files: new Map() }) }
const app = await openTestApp({}, { webClient })
const [olivia, gus, hidden] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'sam')])

/** An event with a place, words and a programme of four, to which Gus comes with a friend, and somebody who hides. */
const plan = async (more: object) => {
  const event = evening({ event_location: 'The old pier', event_description: 'Bring a jacket', event_places: 10 })
  const starts = new Date(event.event_starts_at).getTime()
  const event_programme = [1, 2, 3, 4].map(hour => ({
    programme_starts_at: new Date(starts + hour * 3_600_000).toISOString(),
    programme_title: `Part ${hour}`,
    programme_place: 'Boat house',
  }))
  const { id: event_id } = await olivia.api.events.saveEvent({ ...event, event_programme, ...more })
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  for (const guest of [gus, hidden]) await guest.api.links.joinByLink({ code })
  await gus.api.plans.answerEvent({ event_id, event_answer: 'going', plus_ones: 1 })
  await hidden.api.plans.answerEvent({ event_id, event_answer: 'going' })
  return event_id
}
const { user_first_name, user_middle_name, user_last_name, user_username, user_email } =
  await hidden.api.accounts.readAccount({})
await hidden.api.accounts.updateAccount({
  ...{ user_first_name, user_middle_name, user_last_name, user_username, user_email },
  user_visible: false,
  profile_picture_updated: false,
})

const previewOf = async (path: string) => {
  const reply = await fetch(app.url + path, { headers: { accept: 'text/html' } })
  return reply.text()
}

const shared = {
  told: await plan({ event_visibility: 3 }),
  hides: await plan({ event_visibility: 3, event_location_hidden: true }),
}

type Shown = { place: boolean; names: boolean }
/** Everybody with a link knows what, when, the words and how many; who comes is for those whom it makes guests. */
const rows: [kind: LinkKind, pin: string | undefined, event: keyof typeof shared, shown: Shown][] = linkKinds.flatMap(
  kind =>
    [undefined, '2468'].flatMap(pin =>
      (['told', 'hides'] as const).map((event): [LinkKind, string | undefined, keyof typeof shared, Shown] => [
        ...([kind, pin, event] as const),
        { place: event === 'told', names: kind === 'guest' && pin === undefined },
      ]),
    ),
)

describe.each(rows)(
  'a link of the kind %s with the PIN %s to an event whose place it %s',
  (kind, pin, event, shown) => {
    test('shows what a stranger may know, on its page and in its preview', async () => {
      const { link_code: code } = await olivia.api.links.makeLink({ event_id: shared[event], kind, pin })
      const opened = await app.as().links.openLink({ code })
      expect(opened).toMatchObject({
        event_location: shown.place ? 'The old pier' : null,
        event_location_hidden: !shown.place,
        event_description: 'Bring a jacket',
        going_count: 3,
        event_places_left: 7,
      })
      const programme = opened.event_programme.map(entry => [entry.programme_title, entry.programme_place])
      expect(programme).toEqual([1, 2, 3].map(hour => [`Part ${hour}`, shown.place ? 'Boat house' : null]))
      expect(opened.going.map(person => person.user_first_name)).toEqual(shown.names ? ['Gus'] : [])
      const preview = await previewOf(`/j/${code}`)
      expect(preview).not.toMatch(/Gus|Bring a jacket|Boat house/)
      if (!shown.place) expect(preview).not.toContain('The old pier')
    })
  },
)

describe('the address of an event', () => {
  test('of a public one shows to a stranger what its preview says, and nobody’s name but the host’s', async () => {
    const event_id = await plan({ event_visibility: 1 })
    const opened = await app.as().links.openEvent({ event_id })
    expect(opened).toMatchObject({ event_location: 'The old pier', going: [], going_count: 3, event_join_mode: 2 })
    expect(await previewOf(`/events/${event_id}`)).toContain('The old pier')
  })

  test('of one that hides its place tells it to nobody outside, and to those who are in it', async () => {
    const event_id = await plan({ event_visibility: 1, event_location_hidden: true })
    const stranger = await enter(app, 'asha')
    expect(await app.as().links.openEvent({ event_id })).toMatchObject({ event_location: null })
    expect(await previewOf(`/events/${event_id}`)).not.toContain('The old pier')
    expect(await stranger.api.events.readEvent({ event_id })).toMatchObject({ event_location: null })
    expect(JSON.stringify(await stranger.extra.events.readEvent({ event_id }))).not.toMatch(/old pier|Boat house/)
    const { event_calendar_url } = await stranger.api.plans.linkCalendar({ event_id })
    expect(await (await fetch(event_calendar_url)).text()).not.toContain('old pier')
    await bringIn(olivia, event_id, stranger)
    expect(await stranger.api.events.readEvent({ event_id })).toMatchObject({ event_location: 'The old pier' })
  })

  test.each([2, 3])('of one that is not public (%s) shows nothing to a stranger', async event_visibility => {
    const event_id = await plan({ event_visibility })
    expect(await refusal(app.as().links.openEvent({ event_id }))).toEqual(notFound('Event not found!'))
  })
})
