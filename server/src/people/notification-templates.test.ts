import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'

const { app, quiet } = await openNotifiedApp()
const pair = async () => (await Promise.all([enter(app, 'gus'), enter(app, 'ana')])) as [Member, Member]

const unread = async (member: Member) => {
  await quiet()
  const waiting = (await notificationsOf(member)).filter(({ read }) => !read)
  return waiting.map(one => [one.notification_kind, one.notification_body, one.notification_link, one.subject_id])
}

test('a person who is asked to be a friend is told, once, until it is answered or taken back', async () => {
  const [gus, ana] = await pair()
  const told = ['friend_request', 'Gus Grant would like to be your friend.', '/friends', gus.id]
  await gus.api.people.befriend({ user_id: ana.id })
  await gus.api.people.befriend({ user_id: ana.id })
  expect(await unread(ana)).toEqual([told])
  expect(await unread(gus)).toEqual([])
  await gus.api.people.unfriend({ user_id: ana.id })
  expect(await unread(ana)).toEqual([])

  await gus.api.people.befriend({ user_id: ana.id })
  expect(await unread(ana)).toEqual([told])
  await ana.api.people.befriend({ user_id: gus.id })
  expect(await Promise.all([gus, ana].map(unread))).toEqual([[], []])
})

test('taking one request back leaves the others of the same asker', async () => {
  const [gus, ana] = await pair()
  const sam = await enter(app, 'sam')
  for (const { id } of [ana, sam]) await gus.api.people.befriend({ user_id: id })
  expect(await unread(sam)).toHaveLength(1)
  await ana.api.people.unfriend({ user_id: gus.id })
  expect(await unread(ana)).toEqual([])
  expect(await unread(sam)).toHaveLength(1)
})

test('a block takes back what the two told each other', async () => {
  const [gus, ana] = await pair()
  await gus.api.people.befriend({ user_id: ana.id })
  expect(await unread(ana)).toHaveLength(1)
  await ana.api.people.block({ user_id: gus.id })
  expect(await unread(ana)).toEqual([])
})
