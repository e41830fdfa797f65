import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { party } from '../../test/party.ts'

const app = await openTestApp()

test('the cast stands to the event as its names say', async () => {
  const { event, ...cast } = await party(app)
  const roles = await Promise.all(
    [cast.olivia, cast.gus, cast.asha, cast.sam, cast.remy, cast.gwen].map(
      async member => (await member.extra.events.readEvent({ event_id: event.id })).event_role,
    ),
  )
  expect(roles).toEqual(['organizer', 'guest', 'asked', 'none', 'none', 'none'])
})
