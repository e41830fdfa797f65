import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { notFound, refusal } from '../../test/refused.ts'

const app = await openTestApp()
const noSuchUser = notFound('User not found!')
const read = (viewer: Member, user_id: number) => viewer.api.people.readUser({ user_id })
const set = (member: Member, changes: { visible?: boolean; status?: number }) =>
  app.db.updateTable('users').set(changes).where('id', '=', member.id).execute()

describe('one person’s details', () => {
  test('have the documented shape, for oneself too', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    expect(await read(olivia, gus.id)).toEqual({
      id: gus.id,
      user_first_name: 'Gus',
      user_middle_name: null,
      user_last_name: 'Grant',
      user_username: gus.username,
      user_avatar_url: expect.stringContaining('/media/initials/'),
      user_visible: '1',
      friend: false,
      friend_status: 'none',
      blocked: false,
      created_at: expect.any(String),
    })
    await set(olivia, { visible: false })
    expect(await read(olivia, olivia.id)).toMatchObject({ id: olivia.id, user_visible: '0', friend_status: 'none' })
  })

  test('one person’s details of nobody and of the suspended are the same 404, also for friends', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    await olivia.api.people.befriend({ user_id: gus.id })
    await gus.api.people.befriend({ user_id: olivia.id })
    await set(gus, { status: 3 })
    for (const id of [gus.id, 999_999_999, Number.MAX_SAFE_INTEGER])
      expect(await refusal(read(olivia, id))).toEqual(noSuchUser)
  })

  test('one person’s details of the invisible are for friends', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    await set(gus, { visible: false })
    expect(await refusal(read(olivia, gus.id))).toEqual(noSuchUser)
    await gus.api.people.befriend({ user_id: olivia.id })
    await olivia.api.people.befriend({ user_id: gus.id })
    expect(await read(olivia, gus.id)).toMatchObject({ friend: true, friend_status: 'friends', user_visible: '0' })
  })

  test('one person’s details of the invisible are for those who are in an event with them now, and for nobody else around it', async () => {
    const { olivia, gus, asha, sam, remy, gwen } = await party(app)
    for (const member of [olivia, gus]) await set(member, { visible: false })
    expect((await read(olivia, gus.id)).id).toBe(gus.id)
    expect((await read(gus, olivia.id)).id).toBe(olivia.id)
    for (const outsider of [asha, sam, remy, gwen])
      for (const { id } of [olivia, gus]) expect(await refusal(read(outsider, id))).toEqual(noSuchUser)
  })

  test('one person’s details of the invisible end when either leaves, and when the event is deleted', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    await set(gus, { visible: false })
    const event = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event.id, gus)
    await gus.api.events.leaveEvent({ event_id: event.id })
    expect(await refusal(read(olivia, gus.id))).toEqual(noSuchUser)
    await bringIn(olivia, event.id, gus)
    expect((await read(olivia, gus.id)).id).toBe(gus.id)
    await olivia.api.events.deleteEvent({ event_id: event.id })
    expect(await refusal(read(olivia, gus.id))).toEqual(noSuchUser)
  })
})
