import { operations, operationsBySlice } from '@afterglow/contract/operations'
import type { Takes } from '@afterglow/contract/route'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../src/platform/database/database.ts'
import { allRows } from './all-rows.ts'
import type { Api } from './app.ts'
import type { Member } from './cast.ts'
import { outside, rows } from './matrix.ts'
import { call, openMatrixApp } from './matrix-of.ts'
import { quiet } from './notified.ts'
import { evening } from './party.ts'
import { openCompany, openScene, type Scene } from './scene.ts'

/* Acts that take something from others can be undone or ask for a recent proof, and the others are told. */

const app = await openMatrixApp()
outside.api = () => app.as()
const company = await openCompany(app)
const { organizer, author, guest } = company

type Operation = { slice: keyof Api; name: string; takes: Takes }
const named = Object.entries(operationsBySlice).flatMap(([slice, all]) =>
  all.map(({ name, takes }) => ({ slice: slice as keyof Api, name, takes })),
)
const acts = named.filter((operation): operation is Operation => operation.takes !== undefined)
const operationOf = (name: string) => named.find(operation => operation.name === name) as (typeof named)[number]

/**
 * These only give, or take only from the caller. A new operation is listed here or says in the contract what it takes.
 */
const takesNothing = new Set([
  ...['claimAccount', 'register', 'removeAvatar', 'stageAvatar', 'updateAccount', 'updateSettings', 'authenticate'],
  ...['disconnect', 'logout', 'ping', 'refreshToken', 'removeDevice', 'proveAccount', 'updatePassword'],
  ...['beginProviderSignIn', 'finishProviderSignIn', 'linkLoginOption', 'unlinkLoginOption', 'forgotPassword'],
  ...[
    'resendVerification',
    'resetPassword',
    'undoEmail',
    'verifyEmail',
    'makeTransfer',
    'openTransfer',
    'takeTransfer',
  ],
  ...['askToReturn', 'findNamesake', 'keepOwnCode', 'makeReturnKey', 'readReturn', 'returnByKey', 'rejectReturn'],
  ...['disownLetIns', 'revealPhotos', 'undoDecision'],
  ...['readAllNotifications', 'readNotification', 'saveEventLevel', 'saveNotificationSettings', 'registerDevice'],
  ...['testDevice', 'copyEvent', 'uncancelEvent', 'restoreEvent', 'bringGuestBack', 'leaveEvent', 'makeOrganizer'],
  ...['acceptInvitation', 'declineInvitation', 'invite', 'approveJoinRequest', 'askToJoin', 'withdrawJoinRequest'],
  ...[
    'makeAnnouncement',
    'remindGuests',
    'seeAnnouncement',
    'makeLink',
    'reopenLink',
    'undoSentAway',
    'joinByLink',
    'viewByLink',
  ],
  ...[
    'answerEvent',
    'remindGuests',
    'addPerson',
    'claimPerson',
    'endCalendarFeed',
    'makeCalendarFeed',
    'befriend',
    'unblock',
    'report',
    'resolveReport',
  ],
  ...['checkUploads', 'uploadPhoto', 'captionPhoto', 'likePhoto', 'unlikePhoto', 'linkAlbum', 'restorePhoto'],
  ...['approvePhotos', 'unhidePhoto', 'reactToComment', 'unreactToComment', 'saveComment', 'unhideComment'],
  ...['muteChat', 'unmuteChat', 'reopenChat', 'sayTyping', 'pinMessage', 'saveMessage', 'sendVideo', 'unhideMessage'],
  ...['addToAlbum', 'reactToMessage', 'unreactToMessage', 'markSeen', 'makePoll', 'vote', 'reopenPoll', 'sayShown'],
  ...['deleteAccount', 'exportAccount', 'saveSeenSettings', 'makeWebhook', 'switchOnWebhook', 'tryWebhook'],
])

test('every operation that writes says what it takes from others, or that it takes nothing', () => {
  const writes = operations.filter(({ at }) => at[0]?.[0] !== 'GET')
  const unsaid = writes.filter(({ name, takes }) => (takes !== undefined) === takesNothing.has(name))
  expect(unsaid.map(({ name }) => name)).toEqual([])
  const names = new Set(writes.map(({ name }) => name))
  expect([...takesNothing].filter(name => !names.has(name))).toEqual([])
})

test('each such operation can be undone, or asks for a recent proof', () => {
  for (const { name, takes, refusals } of operations) {
    if (!takes) continue
    expect(takes.back ? operationOf(takes.back)?.name : (takes.proof ?? 'neither'), name).toBe(
      takes.back ?? takes.proof,
    )
    expect('proveFirst' in refusals, name).toBe(takes.proof !== undefined)
  }
})

const said = 'Please confirm that it is you: by your password, or by signing in again.'
/** They change or end the session itself. */
const endsSession = new Set(['logout', 'refreshToken', 'updatePassword', 'deleteAccount', 'proveAccount'])

const age = ({ id }: Member) =>
  sql`update devices set created_at = created_at - interval '1 hour', proven_at = null where user_id = ${id}`.execute(
    app.db,
  )
const renew = ({ id }: Member) => sql`update devices set created_at = now() where user_id = ${id}`.execute(app.db)

/** Others' content, where the matrix uses the organizer's own. */
const ofOthers: Partial<Record<string, (scene: Scene) => Promise<unknown>>> = {
  async withdrawAnnouncement({ event_id }) {
    await organizer.api.events.makeOrganizer({ event_id, user_id: guest.id })
    const { id } = await guest.api.announcements.makeAnnouncement({ event_id, announcement_text: 'Cake!' })
    return { announcement_id: id }
  },
  saveEvent: async ({ event_id }) => ({ ...evening({ event_name: 'Renamed' }), event_id }),
  block: async () => ({ user_id: company.rejected.id }),
  async letInAgain({ event_id }) {
    const { link_code: code } = await organizer.api.links.makeLink({ event_id })
    return { event_id, user_id: (await app.as().links.joinByLink({ code, user_first_name: 'Anna' })).user.id }
  },
  async sendAwayByLink({ event_id }) {
    const { id: link_id, link_code: code } = await organizer.api.links.makeLink({ event_id })
    await company.stranger.api.links.joinByLink({ code })
    return { link_id }
  },
  async refusePhotos(scene) {
    await organizer.api.events.saveEvent({ ...evening({ event_photo_approval: 'album' }), ...inEvent(scene) })
    const { event_photo_id } = await scene.photo()
    return { ...inEvent(scene), event_photo_ids: [event_photo_id] }
  },
  async unpinMessage(scene) {
    const message = await scene.message()
    await organizer.api.chats.pinMessage(message)
    return message
  },
  async revokeLinks({ event_id }) {
    return { event_id, link_id: (await organizer.api.links.makeLink({ event_id })).id }
  },
}

const inputOf = async (name: string, scene: Scene) => {
  const row = rows.find(each => {
    const outcomes = each.outcomes as Record<string, unknown>
    return each.operation === name && [outcomes.organizer, outcomes.anyone].includes(200)
  })
  return (await (ofOthers[name]?.(scene) ?? row?.input(scene, company, 'organizer'))) as Record<string, number>
}

const page = { page: 1, page_length: 50 }
const inEvent = ({ event_id }: Scene) => ({ event_id })
const fateOf = async ({ message_id }: Record<string, number>, { group_chat_id }: Scene) => {
  const { data } = await guest.extra.chats.listMessages({ group_chat_id, message_id: message_id as number, ...page })
  return {
    content: data[0]?.message_content,
    hidden: data[0]?.extra.hidden,
    poll: data[0]?.extra.card?.poll?.poll_closes_at,
  }
}
const inAlbum = async ({ event_photo_id }: Record<string, number>, scene: Scene) =>
  (await guest.api.gallery.listPhotos({ ...inEvent(scene), ...page })).data.some(
    ({ id }) => Number(id) === event_photo_id,
  )
const openLinks = async (_: unknown, scene: Scene) =>
  (await organizer.api.links.listLinks({ ...inEvent(scene), ...page })).data.map(({ link_status }) => link_status)

type ReadState = (input: Record<string, number>, scene: Scene) => Promise<unknown>
/**
 * The others' content before the act, which they have again once it is undone. `back` undoes it, if the input differs.
 */
const lost: Record<string, { seen: ReadState; back?(input: Record<string, number>, reply: unknown): unknown }> = {
  saveEvent: {
    seen: async (_, scene) => (await guest.api.events.readEvent(inEvent(scene))).event_name,
    back: input => ({ ...input, event_name: 'Midsummer at the lake' }),
  },
  cancelEvent: { seen: async (_, scene) => (await guest.api.events.readEvent(inEvent(scene))).event_status },
  deleteEvent: {
    seen: async (_, { event_id }) =>
      (await guest.api.events.listEvents({ filter: 'upcoming', ...page })).data.some(({ id }) => id === event_id),
  },
  endOffer: { seen: async (_, scene) => (await organizer.extra.events.readEvent(inEvent(scene))).extra.offered_to },
  removeGuest: {
    seen: async ({ user_id }, scene) =>
      (await organizer.api.events.listGuests({ ...inEvent(scene), ...page })).data.some(
        ({ user }) => user.id === user_id,
      ),
  },
  unmakeOrganizer: {
    seen: async ({ user_id }, scene) =>
      (await organizer.api.events.listGuests({ ...inEvent(scene), ...page })).data.find(
        ({ user }) => user.id === user_id,
      )?.event_role,
  },
  rejectJoinRequest: {
    seen: async (_, scene) => (await company.asked.api.events.readEvent(inEvent(scene))).event_role !== 'none',
    back: ({ event_id, user_id }) => ({ event_id, user_ids: [user_id] }),
  },
  moveUp: {
    seen: async (_, scene) => (await guest.api.plans.readAnswer(inEvent(scene))).line_before,
    back: input => ({ ...input, user_id: guest.id }),
  },
  revokeLink: { seen: openLinks },
  revokeLinks: { seen: openLinks },
  sendAwayByLink: { seen: openLinks, back: (_, reply) => ({ away_id: (reply as { id: number }).id }) },
  closePoll: { seen: fateOf },
  endChat: {
    seen: async (_, scene) => (await guest.extra.chats.readChat({ group_chat_id: scene.group_chat_id })).extra.may.send,
  },
  hideMessage: { seen: async (input, scene) => (await fateOf(input, scene)).content },
  unpinMessage: {
    seen: async (_, { group_chat_id }) =>
      (await guest.extra.chats.readChat({ group_chat_id })).extra.pinned?.message_id,
  },
  hideComment: {
    seen: async ({ event_photo_comment_id: id }, scene) => {
      const { data } = await guest.api.gallery.listPhotos({ ...inEvent(scene), ...page })
      const on = data.map(photo => guest.api.gallery.listComments({ event_photo_id: Number(photo.id), ...page }))
      return (await Promise.all(on)).flatMap(comments => comments.data).find(comment => comment.id === id)
        ?.event_photo_comment
    },
  },
  hidePhoto: { seen: inAlbum },
  deletePhoto: { seen: inAlbum },
}
/** Others see nothing of these until the organizer runs the reverse operation. */
const byItself = new Set([
  ...['endScreen', 'refusePhotos', 'allowPhotos', 'saveWall', 'markForWall', 'unfriend', 'block'],
  // Undone by the guest: events/returns/let-in-sessions.test.ts.
  ...['letInAgain', 'approveReturn'],
])

test('every act with an undo demonstrates it', () => {
  const returning = acts.filter(({ takes }) => takes.back !== null).map(({ name }) => name)
  expect(returning.filter(name => name in lost === byItself.has(name))).toEqual([])
})

const newest = async () => {
  await quiet(app)
  const { rows: found } = await sql<{ id: number }>`select coalesce(max(id), 0)::float8 as id from changes`.execute(
    app.db,
  )
  return found[0]?.id ?? 0
}

/** How many notifications the others have received. */
const notified = async () => {
  const { rows: found } = await sql<{ count: number }>`
    select count(*)::int as count from notifications where user_id <> ${organizer.id}`.execute(app.db)
  return found[0]?.count ?? 0
}

describe.each(acts.map(act => [act.name, act] as const))('%s', (name, act) => {
  const { takes } = act

  test.runIf(takes.proof)('asks a session without a recent proof, and does nothing', async () => {
    const input = await inputOf(name, await openScene(company))
    await age(organizer)
    const before = await allRows(app)
    const { status, body } = await call(organizer.api, act, input)
    expect({ status, said: JSON.stringify(body) }).toMatchObject({
      status: 400,
      said: expect.stringContaining('confirm that it is you'),
    })
    expect(await allRows(app)).toEqual(before)
    await renew(organizer)
  })

  test('is announced to others and in the organizers’ log', async () => {
    const scene = await openScene(company)
    const input = await inputOf(name, scene)
    const [since, before] = [await newest(), await notified()]
    expect((await call(organizer.api, act, input)).status).toBe(200)
    await quiet(app)
    const told = await sql<{ kind: string }>`
      select kind from changes where id > ${since} and kind not like 'notification.%' and kind <> 'session.ended'
        and (audience <> 'user' or user_id <> ${organizer.id})`.execute(app.db)
    const rung = (await notified()) - before
    if (takes.tells === 'nobody') expect(rung).toBe(0)
    else if (!['nextVisit', 'whenUsed'].includes(takes.tells)) expect(told.rows.length).toBeGreaterThan(0)
    if (takes.tells === 'notification') expect(rung).toBeGreaterThan(0)
    if (!takes.audits) return
    const { data } = await organizer.api.events
      .listAudit({ event_id: scene.event_id, ...page })
      .catch(async () => ({ data: await auditOf(scene) }))
    expect(data.map(({ audit_act }) => audit_act)).toContain(takes.audits)
  })

  test.runIf(name in lost)('can be undone', async () => {
    const scene = await openScene(company)
    const input = await inputOf(name, scene)
    const { seen, back } = lost[name] as (typeof lost)[string]
    const had = await seen(input, scene)
    const { body } = await call(organizer.api, act, input)
    if (takes.back !== name) expect(await seen(input, scene)).not.toEqual(had)
    const undo = operationOf(takes.back as string)
    expect(await call(organizer.api, undo, back?.(input, body) ?? input)).toMatchObject({ status: 200 })
    expect(await seen(input, scene)).toEqual(had)
  })
})

const auditOf = async ({ event_id }: Scene) =>
  (
    await sql<{ audit_act: string }>`select act as audit_act from audit_entries where event_id = ${event_id}`.execute(
      app.db,
    )
  ).rows

/** They ask for no proof here: taking an offer, reading whether there is a calendar, and one's own announcement. */
const asksNone = new Set(['handOver (by taking it)', 'readCalendarFeed', 'withdrawAnnouncement'])

const everyday = rows.flatMap(row => {
  const { organizer: ofOwner, anyone = ofOwner } = row.outcomes as Record<string, number | string | undefined>
  const name = row.use ? `${row.operation} (${row.use})` : row.operation
  return typeof anyone === 'number' && !endsSession.has(row.operation) ? [[name, row] as const] : []
})

test.each(everyday)('an owner’s old session does it, or is asked for a proof: %s', async (name, row) => {
  const { refusals } = operations.find(operation => operation.name === row.operation) as (typeof operations)[number]
  const input = await row.input(await openScene(company), company, 'organizer')
  await age(organizer)
  const { status, body } = await call(organizer.api, operationOf(row.operation), input)
  await renew(organizer)
  if ('proveFirst' in refusals && !asksNone.has(name))
    expect({ status, body }).toEqual({ status: 400, body: { error_message: said } })
  else expect({ status, body }).toMatchObject({ status: 200 })
})

test('a user’s own words can be deleted without a proof', async () => {
  const scene = await openScene(company)
  await age(author)
  for (const name of ['deleteMessage', 'deleteComment', 'deleteAttachment'])
    expect(await call(author.api, operationOf(name), await inputOf(name, scene))).toMatchObject({ status: 200 })
  await renew(author)
})

describe('an act can no longer be undone after its time:', () => {
  /** The time of the act, for acts whose moment the database records. */
  const moments: Record<string, readonly [table: string, column: string]> = {
    cancelEvent: ['audit_entries', 'created_at'],
    deleteEvent: ['events', 'deleted_at'],
    removeGuest: ['guests', 'ended_at'],
    revokeLink: ['event_links', 'revoked_at'],
    revokeLinks: ['event_links', 'revoked_at'],
    sendAwayByLink: ['links_sent_away', 'created_at'],
    deletePhoto: ['photos', 'deleted_at'],
  }
  const superuser = openDatabase(`${inject('superuser')}${new URL(app.databaseUrl).pathname}`, { connections: 1 })
  afterAll(() => superuser.destroy())
  const bounded = acts.filter(({ takes }) => takes.backHours !== undefined)

  test.each(bounded.map(act => [act.name, act] as const))('%s', async (name, act) => {
    const [table, column] = moments[name] ?? []
    if (!table || !column) throw new Error(`Nobody knows when ${name} was`)
    const scene = await openScene(company)
    const input = await inputOf(name, scene)
    const { body } = await call(organizer.api, act, input)
    await superuser.transaction().execute(async tx => {
      // The audit log is append-only.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(hours => ${act.takes.backHours ?? 0}, mins => 1)`.execute(
        tx,
      )
    })
    const undone = lost[name]?.back?.(input, body) ?? input
    expect((await call(organizer.api, operationOf(act.takes.back as string), undone)).status).toBeGreaterThanOrEqual(
      400,
    )
  })
})

test('an undo of something that does not exist is refused', async () => {
  const { event_id } = await openScene(company)
  const stranger = { event_id, user_id: company.stranger.id }
  expect(await call(organizer.api, operationOf('uncancelEvent'), { event_id: 404_404 })).toMatchObject({ status: 404 })
  expect(await call(organizer.api, operationOf('bringGuestBack'), stranger)).toMatchObject({ status: 404 })
  expect(await call(organizer.api, operationOf('reopenLink'), { link_id: 404_404 })).toMatchObject({ status: 404 })
})
