import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'

const { app, unread, quiet } = await openNotifiedApp()
const paged = { page: 1, page_length: 20 }
const secret = () => randomBytes(32).toString('base64url')
const on = (device_id: string) => ({ device_id, user_timezone: 'UTC', user_device_platform: 'web' })
const badCode = says('The code is invalid or has expired.')
const notLetIn = says(
  'Only guests without a password who are in no event of other organizers can be let in again this way',
)

const hold = async (organizer?: Member) => {
  const olivia = organizer ?? (await enter(app, 'olivia'))
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const link = await olivia.api.links.makeLink({ event_id })
  return { olivia, event_id, group_chat_id, code: link.link_code }
}
type Party = Awaited<ReturnType<typeof hold>>
const join = async (
  { code }: Pick<Party, 'code'>,
  user_first_name: string,
  user_last_name?: string,
  device = secret(),
) => {
  const { user, token } = await app.as().links.joinByLink({ code, user_first_name, user_last_name, ...on(device) })
  return { id: user.id, token, api: app.as(token), device }
}
const ask = async ({ code }: Pick<Party, 'code'>, user_first_name: string, device = 'new phone') => {
  const return_code = secret()
  const asked = { code, user_first_name, return_code, device_id: device, user_device_platform: 'ios' }
  const state = await app.as().returns.askToReturn(asked)
  return { return_code, state, asked }
}
const take = (transfer_code: string, device = 'new phone', token?: string) =>
  app.as(token).transfers.takeTransfer({ transfer_code, ...on(device) })
const waiting = async ({ olivia, event_id }: Party) =>
  (await olivia.api.returns.listReturns({ event_id, ...paged })).data
const codeOf = ({ transfer_url }: { transfer_url: string }) => transfer_url.split('#code=')[1] ?? ''
const acts = async ({ olivia, event_id }: Party) =>
  (await olivia.api.events.listAudit({ event_id, ...paged })).data.map(({ audit_act, about }) => [audit_act, about?.id])

describe('somebody in a new browser with a name that is there', () => {
  test('asks, is let in with one tap, and is who they were', async () => {
    const party = await hold()
    const fabio = await join(party, 'Fabio')
    const { namesake } = await app.as().returns.findNamesake({ code: party.code, user_first_name: 'fábio' })
    expect(namesake).toBe(true)
    const { return_code, state } = await ask(party, 'Fabio')
    expect(state.return_status).toBe('asked')
    expect(await refusal(take(return_code))).toEqual(badCode)

    const [request] = await waiting(party)
    expect(request).toMatchObject({ user_first_name: 'Fabio', user_device_platform: 'ios' })
    expect(request?.candidates.map(({ user }) => user.id)).toEqual([fabio.id])
    expect((await unread(party.olivia)).filter(([kind]) => kind === 'return_request')).toHaveLength(1)

    const approval = { return_id: request?.id ?? 0, user_id: fabio.id }
    await Promise.all([party.olivia, party.olivia].map(({ api }) => api.returns.approveReturn(approval)))
    expect(await refusal(party.olivia.api.returns.rejectReturn({ return_id: approval.return_id }))).toEqual(
      says('Somebody has answered this request already'),
    )
    expect((await app.as().returns.readReturn({ return_code })).return_status).toBe('let_in')
    const { user, token } = await take(return_code)
    expect(user.id).toBe(fabio.id)
    expect(await app.as(token).events.readEvent({ event_id: party.event_id })).toMatchObject({ event_role: 'guest' })
    // Once for two taps; the phone from before is told, and stays signed in.
    expect((await acts(party)).filter(([act]) => act === 'guest.let_in')).toEqual([['guest.let_in', fabio.id]])
    await vi.waitFor(async () => expect((await unread(fabio)).map(([kind]) => kind)).toContain('let_in_again'), 20_000)
    expect(await unread(party.olivia)).toEqual([])
    // A lost reply is repeated by the same phone; nobody else uses it again.
    expect((await take(return_code)).user.id).toBe(fabio.id)
    expect(await refusal(take(return_code, 'another'))).toEqual(badCode)
    await quiet()
    expect((await unread(fabio)).filter(([kind]) => kind === 'let_in_again')).toHaveLength(1)
  })

  test('is answered alike whether the name is known or not, and never lets in as an account with a password or an organizer', async () => {
    const party = await hold()
    const gus = await enter(app, 'gus')
    await bringIn(party.olivia, party.event_id, gus)
    const raised = await join(party, 'Rosa')
    await party.olivia.api.events.makeOrganizer({ event_id: party.event_id, user_id: raised.id })
    for (const name of ['Gus', 'Rosa', 'Olivia', 'Nobody']) {
      expect((await app.as().returns.findNamesake({ code: party.code, user_first_name: name })).namesake).toBe(false)
      expect((await ask(party, name)).state).toEqual({ return_status: 'asked', return_expires_at: expect.any(String) })
    }
    expect(await waiting(party)).toEqual([])
    expect((await unread(party.olivia)).filter(([kind]) => kind === 'return_request')).toEqual([])
    for (const { id } of [gus, raised, party.olivia])
      expect(await refusal(party.olivia.api.returns.letInAgain({ event_id: party.event_id, user_id: id }))).toEqual(
        notLetIn,
      )
  })

  test('tells a network that tries names nothing after twenty hits', async () => {
    const strict = await openTestApp({ rateFactor: 1 })
    const { api } = await enter(strict, 'olivia')
    const { id: event_id } = await api.events.saveEvent(evening())
    const { link_code: code } = await api.links.makeLink({ event_id })
    await strict.as().links.joinByLink({ code, user_first_name: 'Fabio' })
    const tries = Array.from({ length: 25 }, () => strict.as().returns.findNamesake({ code, user_first_name: 'Fabio' }))
    expect((await Promise.all(tries)).filter(({ namesake }) => namesake)).toHaveLength(20)
  })

  test('is told of nobody by a link that makes no guests, and asks nobody by it', async () => {
    const party = await hold()
    await join(party, 'Fabio')
    for (const kind of ['look', 'screen', 'drop'] as const) {
      const { link_code: code } = await party.olivia.api.links.makeLink({ event_id: party.event_id, kind })
      const { namesake } = await app.as().returns.findNamesake({ code, user_first_name: 'Fabio' })
      expect([kind, namesake]).toEqual([kind, false])
      expect(await refusal(ask({ code }, 'Fabio'))).toEqual(notFound('Link not found!'))
    }
    expect(await waiting(party)).toEqual([])
  })

  test('needs the link’s PIN, like joining', async () => {
    const party = await hold()
    const { link_code: code } = await party.olivia.api.links.makeLink({ event_id: party.event_id, pin: '4711' })
    await join(party, 'Fabio')
    const asked = { code, user_first_name: 'Fabio', pin: '1234' }
    expect(await refusal(app.as().returns.findNamesake(asked))).toEqual(says('The PIN is wrong'))
    const more = { ...asked, return_code: secret(), user_device_platform: 'web' }
    expect(await refusal(app.as().returns.askToReturn(more))).toEqual(says('The PIN is wrong'))
  })

  test('gets one answer of several organizers: the first', async () => {
    const party = await hold()
    const [one, other] = [await join(party, 'Fabio'), await join(party, 'Fabio', 'Rossi')]
    const { return_code } = await ask(party, 'Fabio')
    const [request] = await waiting(party)
    const return_id = request?.id ?? 0
    const { api } = party.olivia
    const answers = await Promise.allSettled([
      api.returns.approveReturn({ return_id, user_id: one.id }),
      api.returns.approveReturn({ return_id, user_id: other.id }),
      api.returns.rejectReturn({ return_id }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await waiting(party)).toEqual([])
    const { return_status } = await app.as().returns.readReturn({ return_code })
    if (return_status === 'refused') expect(await refusal(take(return_code))).toEqual(badCode)
    else expect([one.id, other.id]).toContain((await take(return_code)).user.id)
  })

  test('is refused, and asks nobody who does not organize the event', async () => {
    const party = await hold()
    const fabio = await join(party, 'Fabio')
    const { return_code } = await ask(party, 'Fabio')
    const [request] = await waiting(party)
    const return_id = request?.id ?? 0
    const stranger = await enter(app, 'sam')
    const { event_id } = party
    const { returns } = fabio.api
    const notOrganizer = says('The user is not an organizer of the event')
    expect(await refusal(returns.listReturns({ event_id, ...paged }))).toEqual(notOrganizer)
    expect(await refusal(returns.letInAgain({ event_id, user_id: fabio.id }))).toEqual(notOrganizer)
    for (const { api } of [fabio, stranger])
      expect(await refusal(api.returns.approveReturn({ return_id, user_id: fabio.id }))).toEqual(
        notFound('Request not found!'),
      )
    await party.olivia.api.returns.rejectReturn({ return_id })
    await party.olivia.api.returns.rejectReturn({ return_id })
    for (const again of [fabio, stranger])
      expect(await refusal(again.api.returns.rejectReturn({ return_id }))).toEqual(notFound('Request not found!'))
    expect((await app.as().returns.readReturn({ return_code })).return_status).toBe('refused')
    expect(await refusal(party.olivia.api.returns.approveReturn({ return_id, user_id: fabio.id }))).toEqual(
      says('Somebody has answered this request already'),
    )
  })
})

describe('an organizer lets a guest in again', () => {
  const letIn = async (party: Party, { id }: { id: number }) =>
    codeOf(await party.olivia.api.returns.letInAgain({ event_id: party.event_id, user_id: id }))

  test('by a code, once, until a newer one or a day has passed', async () => {
    const party = await hold()
    const anna = await join(party, 'Anna')
    const first = await letIn(party, anna)
    const second = await letIn(party, anna)
    expect(await refusal(take(first))).toEqual(badCode)
    expect((await take(second)).user.id).toBe(anna.id)
    expect(await refusal(take(second, 'another'))).toEqual(badCode)
    const third = await letIn(party, anna)
    await sql`update account_transfers set expires_at = now() where user_id = ${anna.id}`.execute(app.db)
    expect(await refusal(take(third))).toEqual(badCode)
    expect((await acts(party)).filter(([act]) => act === 'guest.let_in')).toHaveLength(3)
  })

  test.each<[string, (party: Party, anna: Awaited<ReturnType<typeof join>>) => Promise<unknown>]>([
    ['is removed', ({ olivia, event_id }, { id }) => olivia.api.events.removeGuest({ event_id, user_id: id })],
    ['organizes it, too', ({ olivia, event_id }, { id }) => olivia.api.events.makeOrganizer({ event_id, user_id: id })],
    [
      'has a password',
      (_, { api }) =>
        api.accounts.claimAccount({
          user_email: `${secret()}@example.com`,
          user_password: 'a long password',
          user_password_confirmation: 'a long password',
        }),
    ],
    ['is in an event of somebody else', async (_, { api }) => api.links.joinByLink({ code: (await hold()).code })],
  ])('but not by a code from before the guest %s', async (_, happens) => {
    const party = await hold()
    const anna = await join(party, 'Anna')
    const code = await letIn(party, anna)
    await happens(party, anna)
    expect(await refusal(take(code))).toEqual(badCode)
  })

  test('in the same moment as they are removed, and either it works or it does not', async () => {
    for (let time = 0; time < 3; time += 1) {
      const party = await hold()
      const anna = await join(party, 'Anna')
      const code = await letIn(party, anna)
      const [, taken] = await Promise.allSettled([
        party.olivia.api.events.removeGuest({ event_id: party.event_id, user_id: anna.id }),
        take(code),
      ])
      if (taken.status === 'fulfilled')
        expect(
          await refusal(app.as(taken.value.token).events.listGuests({ event_id: party.event_id, ...paged })),
        ).toMatchObject({ status: 400 })
    }
  })

  test('and who was here as somebody new goes, if they have left nothing', async () => {
    const party = await hold()
    const anna = await join(party, 'Anna')
    const empty = await join(party, 'Anna', 'new')
    const busy = await join(party, 'Anna', 'busy')
    await busy.api.chats.saveMessage({ group_chat_id: party.group_chat_id, message_content: 'Hello' })
    const names = async () =>
      (await party.olivia.api.events.listGuests({ event_id: party.event_id, ...paged })).data.map(({ user }) => user.id)
    expect((await take(await letIn(party, anna), empty.device, empty.token)).user.id).toBe(anna.id)
    await take(await letIn(party, anna), busy.device, busy.token)
    expect(await refusal(empty.api.accounts.readAccount())).toMatchObject({ status: 401 })
    await vi.waitFor(async () => expect(await names()).not.toContain(empty.id), 20_000)
    await quiet()
    expect(await names()).toContain(busy.id)
  })
})

describe('coming back by a link', () => {
  test.each<[string, (party: Party & { id: number }) => Promise<unknown>]>([
    ['noSuchLink', ({ olivia, id }) => olivia.api.links.revokeLink({ link_id: id })],
    ['cancelled', ({ olivia, event_id }) => olivia.api.events.cancelEvent({ event_id })],
    ['linkExpired', ({ id }) => sql`update event_links set expires_at = now() where id = ${id}`.execute(app.db)],
    ['linkUsedUp', ({ id }) => sql`update event_links set uses = 5, uses_max = 5 where id = ${id}`.execute(app.db)],
    ['linkPaused', ({ id }) => sql`update event_links set paused_at = now() where id = ${id}`.execute(app.db)],
    [
      'linkLocked',
      ({ id }) => sql`update event_links set wrong_pins = 50, wrong_pin_at = now() where id = ${id}`.execute(app.db),
    ],
  ])('is as impossible as joining: %s', async (code, happens) => {
    const party = await hold()
    const link = await party.olivia.api.links.makeLink({ event_id: party.event_id, pin: '4711' })
    await happens({ ...party, id: link.id })
    const asked = { code: link.link_code, pin: '4711', user_first_name: 'Fabio' }
    const asking = { ...asked, return_code: secret(), user_device_platform: 'web' }
    const { returns } = app.as()
    await expect(returns.findNamesake(asked)).rejects.toMatchObject({ code })
    await expect(returns.askToReturn(asking)).rejects.toMatchObject({ code })
  })

  test('ends after three days, and can be answered only for somebody who is there', async () => {
    const party = await hold()
    const fabio = await join(party, 'Fabio')
    const { return_code, asked } = await ask(party, 'Fabio')
    const [request] = await waiting(party)
    const return_id = request?.id ?? 0
    const { api } = party.olivia
    await expect(api.returns.approveReturn({ return_id, user_id: 1_000_000 })).rejects.toMatchObject({
      code: 'noSuchUser',
    })
    await expect(api.returns.approveReturn({ return_id, user_id: party.olivia.id })).rejects.toMatchObject({
      code: 'notLetIn',
    })
    await expect(api.returns.letInAgain({ event_id: party.event_id, user_id: 1_000_000 })).rejects.toMatchObject({
      code: 'noSuchUser',
    })
    await sql`update return_requests set expires_at = now() where id = ${return_id}`.execute(app.db)
    expect(await waiting(party)).toEqual([])
    const { returns } = app.as()
    expect(await refusal(returns.readReturn({ return_code }))).toEqual(badCode)
    expect(await refusal(returns.askToReturn(asked))).toEqual(badCode)
    await expect(api.returns.approveReturn({ return_id, user_id: fabio.id })).rejects.toMatchObject({
      code: 'noSuchReturn',
    })
  })
})
