import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { openNotifiedApp, settled } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'

/* Nobody silences a phone: whatever one person does for an hour, the friends of its owner still ring. */

const { app, subscribe } = await openNotifiedApp({ timing: { ringAgainMs: 0 } })

/** Moves the clock of one phone: everything about it becomes older. */
const pass = async (owner: Member, minutes: number) => {
  const span = sql`make_interval(mins => ${minutes})`
  await sql`
    update ring_budgets set rung_at = array(select at - ${minutes * 60_000}::bigint from unnest(rung_at) at),
      stranger_rung_at = stranger_rung_at - ${minutes * 60_000}::bigint, rolled_at = rolled_at - ${span}, roll_at = roll_at - ${span}
    where user_id = ${owner.id}`.execute(app.db)
  await sql`
    update notifications set ring_at = ring_at - ${span}, rung_at = rung_at - ${span} where user_id = ${owner.id}`.execute(
    app.db,
  )
  await sql`update jobs set run_at = run_at - ${span} where task in ('ring', 'roll')`.execute(app.db)
  await settled(app)
}

const wedding = async () => {
  const [host, bella, friend] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'rita')]
  const { id: event_id, group_chat_id } = await host.api.events.saveEvent(evening())
  for (const member of [bella, friend]) await bringIn(host, event_id, member)
  await settled(app)
  await bella.api.notifications.readAllNotifications()
  await bella.api.notifications.saveNotificationSettings({ rings_per_hour: 6 })
  await sql`delete from ring_budgets where user_id = ${bella.id}`.execute(app.db)
  const browser = await subscribe(bella)
  const rung = () => browser.messages().filter(message => !('silent' in message))
  const mentions = ({ api }: Pick<Member, 'api'>, what: string) =>
    api.chats.saveMessage({ group_chat_id, message_content: `@${bella.username} ${what}` })
  return { host, bella, friend, event_id, group_chat_id, rung, mentions }
}
type Wedding = Awaited<ReturnType<typeof wedding>>

/** What each can do to a phone, again and again. */
const attackers: Record<string, (at: Wedding) => Promise<(n: number) => Promise<unknown>>> = {
  'a guest of many names': async ({ host, event_id, mentions }) => {
    const { link_code: code } = await host.api.links.makeLink({ event_id })
    return async n => {
      const device = { device_id: `name ${n}`, user_timezone: 'UTC', user_device_platform: 'web' }
      const { token } = await app.as().links.joinByLink({ code, user_first_name: `Name ${n}`, ...device })
      await mentions({ api: app.as(token) }, `${n}`)
    }
  },
  'an organizer': async ({ host, bella, event_id, mentions }) => {
    const mallory = await enter(app, 'gwen')
    await bringIn(host, event_id, mallory)
    await host.api.events.makeOrganizer({ event_id, user_id: mallory.id })
    return async n => {
      await mentions(mallory, `${n}`)
      await mallory.api.events.saveEvent({ ...evening({ event_name: `Moved ${n}` }), event_id })
      const { id } = await mallory.api.events.saveEvent(evening())
      await mallory.api.events.invite({ event_id: id, user_ids: [bella.id] })
    }
  },
  'a stranger': async ({ bella }) => {
    const sam = await enter(app, 'sam')
    return async () => {
      await sam.api.people.befriend({ user_id: bella.id })
      const { id } = await sam.api.events.saveEvent(evening())
      await sam.api.events.invite({ event_id: id, user_ids: [bella.id] })
      await sam.api.people.unfriend({ user_id: bella.id })
    }
  },
}

test.each(Object.entries(attackers))('%s rings a third at most in an hour, and friends still ring', async (_, open) => {
  const at = await wedding()
  const act = await open(at)
  const { bella, friend, rung, mentions } = at
  let ofFriend = 0
  for (let n = 0; n < 12; n += 1) {
    await act(n)
    await settled(app)
    // Her phone is in a pocket for the first half hour; in the second she reads what arrives.
    if (n >= 6) await bella.api.notifications.readAllNotifications()
    if (n === 5 || n === 10) {
      const before = rung().length
      await mentions(friend, `the cake is here ${n}`)
      await settled(app)
      expect(rung()).toHaveLength(before + 1)
      expect(rung().at(-1)).toMatchObject({ kind: 'mention' })
      ofFriend += 1
      // Not even with the last word.
      await act(100 + n)
      await settled(app)
    }
    await pass(bella, 4)
  }
  expect(rung().length - ofFriend).toBeLessThanOrEqual(2)
})

test('a mention rings although somebody who used up their rings acts at the same moment', async () => {
  const { host, bella, friend, event_id, rung, mentions } = await wedding()
  const mallory = await enter(app, 'gwen')
  await bringIn(host, event_id, mallory)
  for (const n of [1, 2, 3]) {
    await mentions(mallory, `${n}`)
    await settled(app)
    if (n < 3) await bella.api.notifications.readAllNotifications()
  }
  expect(rung()).toHaveLength(2)
  await Promise.all([mentions(friend, 'the cake is here'), mentions(mallory, 'last')])
  await settled(app)
  expect(rung()).toHaveLength(3)
})
