import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { bringIn, evening } from '../../test/party.ts'
import { exported } from '../../test/read-export.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const [olivia, gus, asha] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'asha')]
const paged = { page: 1, page_length: 20 }

const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
for (const guest of [gus, asha]) await bringIn(olivia, event_id, guest)

const question = {
  group_chat_id,
  message_content: 'When does the bus leave?',
  poll_choices: ['At five', 'At six', '7'],
}
/** The text as an existing app shows it. */
const below = '\n• At five\n• At six\n• 7'
const make = async (fields: Record<string, unknown> = {}, by: Member = olivia) =>
  Number((await by.extra.polls.makePoll({ ...question, ...fields })).id)
const vote = async (member: Member, message_id: number, ...poll_choice_ids: number[]) =>
  (await member.extra.polls.vote({ message_id, poll_choice_ids })).extra.card?.poll
const seenBy = async (member: Member, message_id: number, chat = group_chat_id) => {
  const { data } = await member.extra.chats.listMessages({ group_chat_id: chat, message_id, ...paged })
  return data[0]?.extra.card?.poll
}
type Poll = Awaited<ReturnType<typeof seenBy>>
const counts = (poll: Poll) => poll?.poll_choices.map(each => each.votes_count)

test('a poll is a card on its message on pages, in search and alone, and only with extra', async () => {
  const message_id = await make({ message_content: 'Who drives the zeppelin?' })
  const shown = {
    poll_question: 'Who drives the zeppelin?',
    poll_choices: [
      { id: 1, poll_choice: 'At five', votes_count: 0 },
      { id: 2, poll_choice: 'At six', votes_count: 0 },
      { id: 3, poll_choice: '7', votes_count: 0 },
    ],
    poll_multiple: false,
    poll_anonymous: false,
    poll_closes_at: null,
    voters_count: 0,
    my_choice_ids: [],
  }
  expect(await seenBy(gus, message_id)).toEqual(shown)
  const found = await gus.extra.chats.searchMessages({ text: 'zeppelin', ...paged })
  expect(found.data[0]?.extra.card).toEqual({ poll: shown })
  const reacted = await gus.extra.chats.reactToMessage({ message_id, message_reaction: '🎉' })
  expect(reacted.extra.card).toEqual({ poll: shown })
  const { data } = await gus.api.chats.listMessages({ group_chat_id, message_id, ...paged })
  expect(data[0]).toMatchObject({ message_content: 'Who drives the zeppelin?\n• At five\n• At six\n• 7' })
  expect(data[0]).not.toHaveProperty('extra')
})

test('a vote replaces the earlier one, is removed by an empty list, and is announced to everybody as they see it', async () => {
  const message_id = await make()
  const [host, own] = [await listen(app, olivia), await listen(app, gus)]
  expect(counts(await vote(gus, message_id, 1))).toEqual([1, 0, 0])
  const told = async (listener: typeof host) =>
    (await listener.next('message.updated', ({ id }) => id === String(message_id))).extra?.card?.poll
  expect(await told(host)).toMatchObject({ voters_count: 1, my_choice_ids: [] })
  expect(await told(own)).toMatchObject({ voters_count: 1, my_choice_ids: [1] })
  expect(counts(await vote(gus, message_id, 3))).toEqual([0, 0, 1])
  expect(counts(await vote(gus, message_id))).toEqual([0, 0, 0])
})

test('two simultaneous taps are one vote, and the counts equal a recount', async () => {
  const message_id = await make()
  await Promise.all([gus, gus, gus, asha, olivia].map(member => vote(member, message_id, 2)))
  await Promise.all([1, 2, 3].map(choice => vote(gus, message_id, choice)))
  const shown = await seenBy(asha, message_id)
  const { rows } = await sql<{ choice: number; user_id: number }>`
    select choice, user_id from poll_votes where message_id = ${message_id}`.execute(app.db)
  expect(rows.map(({ user_id }) => user_id).sort()).toEqual([olivia.id, gus.id, asha.id].sort())
  expect(counts(shown)).toEqual([1, 2, 3].map(choice => rows.filter(row => row.choice === choice).length))
  expect(shown?.voters_count).toBe(3)
})

test('a vote for two options of a single choice, or for unknown ones, is refused', async () => {
  const single = await make()
  expect(await refusal(vote(gus, single, 1, 2))).toEqual(
    invalid('poll_choice_ids', 'The poll choice ids field must not have more than 1 items.'),
  )
  const several = await make({ poll_multiple: true })
  expect(await vote(gus, several, 1, 2)).toMatchObject({ voters_count: 1, my_choice_ids: [1, 2] })
  for (const id of [4, 999_999, 0])
    expect(await refusal(vote(gus, several, id))).toEqual(
      invalid('poll_choice_ids', 'The selected poll choice ids is invalid.'),
    )
  expect(await refusal(vote(gus, several, 1, 1))).toEqual(
    invalid('poll_choice_ids', 'The poll choice ids field has a duplicate value.'),
  )
  expect(counts(await seenBy(gus, several))).toEqual([1, 1, 0])
})

test('a poll closed by its time, its author or an organizer takes no votes', async () => {
  const closed = says('The poll is closed')
  const timed = await make({ poll_closes_at: new Date(Date.now() + 3_600_000).toISOString() })
  await sql`update polls set closes_at = now() where message_id = ${timed}`.execute(app.db)
  expect(await refusal(vote(gus, timed, 1))).toEqual(closed)
  expect(await refusal(make({ poll_closes_at: new Date(0).toISOString() }))).toEqual(
    invalid('poll_closes_at', 'The poll closes at field must be a date in the future.'),
  )
  const byGus = await make({}, gus)
  await vote(asha, byGus, 1)
  expect(await refusal(asha.api.polls.closePoll({ message_id: byGus }))).toEqual(
    says('You do not have permission to close this poll.'),
  )
  const host = await listen(app, olivia)
  for (const by of [gus, olivia]) {
    const { extra } = await by.extra.polls.closePoll({ message_id: byGus })
    expect(Date.parse(extra.card?.poll?.poll_closes_at ?? '')).toBeLessThanOrEqual(Date.now())
  }
  await host.next('message.updated', ({ id, extra }) => id === String(byGus) && extra?.card?.poll?.voters_count === 1)
  expect(await refusal(vote(asha, byGus, 2))).toEqual(closed)
  expect(counts(await seenBy(asha, byGus))).toEqual([1, 0, 0])
})

test('a guest who left or was removed cannot vote, nor can anybody in a cancelled event', async () => {
  const other = await olivia.extra.events.saveEvent(evening())
  await bringIn(olivia, other.id, asha)
  await bringIn(olivia, other.id, gus)
  const message_id = await make({ group_chat_id: other.group_chat_id })
  await vote(gus, message_id, 1)
  await vote(asha, message_id, 3)
  await asha.api.events.leaveEvent({ event_id: other.id })
  await olivia.api.events.removeGuest({ event_id: other.id, user_id: gus.id })
  for (const gone of [asha, gus])
    expect(await refusal(vote(gone, message_id, 2))).toEqual(
      says('The user is neither a guest nor an organizer of the event'),
    )
  await olivia.api.events.cancelEvent({ event_id: other.id })
  const readOnly = says('The group chat is read-only')
  expect(await refusal(vote(olivia, message_id, 2))).toEqual(readOnly)
  expect(await refusal(make({ group_chat_id: other.group_chat_id }))).toEqual(readOnly)
  // The vote of a guest who left stays; that of a removed guest goes.
  expect(counts(await seenBy(olivia, message_id, other.group_chat_id))).toEqual([0, 0, 1])
})

test('everybody sees the voters, unless the poll is anonymous', async () => {
  for (const poll_anonymous of [false, true]) {
    const message_id = await make({ poll_anonymous })
    await vote(gus, message_id, 1)
    const votersOf = async (poll_choice_id: number) =>
      (await asha.api.polls.listVoters({ message_id, poll_choice_id, ...paged })).data.map(({ id }) => id)
    expect(await votersOf(1)).toEqual(poll_anonymous ? [] : [gus.id])
    expect(await votersOf(2)).toEqual([])
    expect(await votersOf(2 ** 40)).toEqual([])
  }
})

test('the log that webhooks read does not reveal the voters of an anonymous poll', async () => {
  const { id: webhook_id } = await olivia.api.webhooks.makeWebhook({
    event_id,
    webhook_url: 'https://party.example/polls',
  })
  const [open, secret] = [await make(), await make({ poll_anonymous: true })]
  for (const message_id of [open, secret]) await vote(gus, message_id, 1)
  const actorsOf = async (message_id: number) =>
    (await olivia.api.webhooks.listWebhookDeliveries({ webhook_id, ...paged })).data
      .filter(({ kind, subject_id }) => kind === 'message.updated' && subject_id === message_id)
      .map(({ actor_id }) => actor_id)
  await vi.waitFor(async () => expect(await actorsOf(secret)).toHaveLength(1), 10_000)
  expect([await actorsOf(open), await actorsOf(secret)]).toEqual([[gus.id], [null]])
})

test('an export has a person’s polls, and the votes only while they are in the event', async () => {
  const other = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, other.id, asha)
  const message_id = await make({ group_chat_id: other.group_chat_id }, asha)
  await vote(olivia, message_id, 2)
  const made = async () => (await exported(asha)).rowsOf('polls').find(row => row.message_id === message_id)
  const words = { question: question.message_content, choices: question.poll_choices }
  expect(await made()).toMatchObject({ ...words, voters_count: 1 })
  await olivia.api.events.removeGuest({ event_id: other.id, user_id: asha.id })
  await sql`delete from account_exports where user_id = ${asha.id}`.execute(app.db)
  expect(await made()).toEqual({ message_id, ...words })
})

test('a poll’s question cannot be edited after a vote', async () => {
  const message_id = await make({}, gus)
  await vote(asha, message_id, 1)
  const edited = { group_chat_id, message_id, message_content: 'Who pays for everybody?' }
  expect(await refusal(gus.api.chats.saveMessage(edited))).toEqual(
    invalid('message_id', 'The selected message id is invalid.'),
  )
  const { data } = await gus.extra.chats.listMessages({ group_chat_id, message_id, ...paged })
  expect(data[0]).toMatchObject({
    message_content: `${question.message_content}${below}`,
    extra: { may: { update: false }, card: { poll: { poll_question: question.message_content } } },
  })
})

test('a poll can be pinned like any message, and is deleted with it', async () => {
  const message_id = await make()
  await vote(gus, message_id, 1)
  const { extra } = await olivia.extra.chats.pinMessage({ message_id })
  expect(extra.pinned).toMatchObject({ message_id, message_content: `${question.message_content}${below}` })
  await olivia.api.chats.deleteMessage({ message_id })
  expect(await seenBy(gus, message_id)).toBeUndefined()
  expect(await refusal(vote(gus, message_id))).toEqual(notFound('Message not found!'))
  expect((await sql`select from polls where message_id = ${message_id}`.execute(app.db)).rows).toEqual([])
})

test('a hidden poll is visible only to its author and the organizers', async () => {
  const message_id = await make({}, gus)
  await olivia.api.chats.hideMessage({ message_id })
  expect(await seenBy(asha, message_id)).toBeUndefined()
  expect(await seenBy(gus, message_id)).toBeDefined()
  expect(await seenBy(olivia, message_id)).toBeDefined()
  expect(await refusal(vote(asha, message_id, 1))).toEqual(notFound('Message not found!'))
  const voters = asha.api.polls.listVoters({ message_id, poll_choice_id: 1, ...paged })
  expect(await refusal(voters)).toEqual(notFound('Message not found!'))
})

test('a poll is made once under one key', async () => {
  const key = { idempotencyKey: 'one poll' }
  const [one, same] = await Promise.all([gus.api.polls.makePoll(question, key), gus.api.polls.makePoll(question, key)])
  const again = await gus.api.polls.makePoll(question, key)
  expect([same.id, again.id]).toEqual([one.id, one.id])
})

test('a poll with invalid choices is refused by name', async () => {
  const refused = async (poll_choices: string[]) => (await refusal(make({ poll_choices }))).body
  expect(await refused(['One'])).toEqual({ poll_choices: ['The poll choices field must have at least 2 items.'] })
  expect(await refused(Array.from({ length: 13 }, (_, n) => `${n}`))).toEqual({
    poll_choices: ['The poll choices field must not have more than 12 items.'],
  })
  expect(await refused(['Same', ' Same'])).toEqual({ poll_choices: ['The poll choices field has a duplicate value.'] })
  expect(await refused(['\u200b', 'Two'])).toEqual({ 'poll_choices.0': ['The poll choices.0 field is required.'] })
  expect(await refused(['Two', 'x'.repeat(10_000)])).toEqual({
    'poll_choices.1': ['The poll choices.1 field must not be greater than 200 characters.'],
  })
})

test('only messages with a poll can be voted on', async () => {
  const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'No question' })
  const message_id = Number(id)
  expect(await refusal(vote(gus, message_id, 1))).toEqual(notFound('Poll not found!'))
  expect(await refusal(olivia.api.polls.closePoll({ message_id }))).toEqual(notFound('Poll not found!'))
  const voters = olivia.api.polls.listVoters({ message_id, poll_choice_id: 1, ...paged })
  expect(await refusal(voters)).toEqual(notFound('Poll not found!'))
  expect(await refusal(vote(gus, 999_999, 1))).toEqual(notFound('Message not found!'))
  expect(await refusal(olivia.api.polls.closePoll({ message_id: 999_999 }))).toEqual(notFound('Message not found!'))
  expect(await refusal(make({ group_chat_id: 999_999 }))).toEqual(notFound('Group chat not found!'))
})
