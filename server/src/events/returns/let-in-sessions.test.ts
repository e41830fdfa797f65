import { randomBytes } from 'node:crypto'
import { operations } from '@afterglow/contract/operations'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { refusal, says } from '../../../test/refused.ts'
import { suspend } from '../suspension.ts'

/* A session that an organizer opened for a guest is never worth more than what the organizer is. */

const app = await openTestApp()
const paged = { page: 1, page_length: 20 }
const secret = () => randomBytes(32).toString('base64url')
const on = (device_id: string) => ({ device_id, user_timezone: 'UTC', user_device_platform: 'web' })
const unauthenticated = { status: 401 }
const badCode = says('The code is invalid or has expired.')
const tooSoon = says(
  'An organizer let this device in less than a day ago. Use a device that was signed in before, or wait until tomorrow.',
)
const ownReturn = says(
  'This request comes from a device on which you are signed in. Another organizer has to answer it.',
)

const hold = async (olivia?: Member) => {
  const host = olivia ?? (await enter(app, 'olivia'))
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id })
  return { host, event_id, code }
}
const codeOf = ({ transfer_url }: { transfer_url: string }) => transfer_url.split('#code=')[1] ?? ''
const take = async (transfer_code: string, device = secret(), token?: string) => {
  const signedIn = await app.as(token).transfers.takeTransfer({ transfer_code, ...on(device) })
  return { id: signedIn.user.id, token: signedIn.token, device, api: app.as(signedIn.token) }
}

/** A co-organizer lets the guest Anna, who is signed in on her phone, in on another device. */
const letIn = async () => {
  const party = await hold()
  const rita = await enter(app, 'rita')
  await bringIn(party.host, party.event_id, rita)
  await party.host.api.events.makeOrganizer({ event_id: party.event_id, user_id: rita.id })
  const { user, token } = await app.as().links.joinByLink({ code: party.code, user_first_name: 'Anna', ...on('phone') })
  const anna = { id: user.id, token, api: app.as(token) }
  const ofAnna = { event_id: party.event_id, user_id: anna.id }
  const code = codeOf(await rita.api.returns.letInAgain(ofAnna))
  return { ...party, rita, anna, ofAnna, other: await take(code) }
}
type LetIn = Awaited<ReturnType<typeof letIn>>
const isOver = (other: { api: Member['api'] }) =>
  vi.waitFor(async () => expect(await refusal(other.api.accounts.readAccount())).toMatchObject(unauthenticated), 5000)
const dayLater = ({ anna }: LetIn) =>
  sql`update devices set created_at = created_at - interval '25 hours' where user_id = ${anna.id}`.execute(app.db)
const claim = () => ({
  user_email: `${secret()}@example.com`,
  user_password: 'a long password',
  user_password_confirmation: 'a long password',
})

describe('a session that an organizer let in', () => {
  test.each<[string, (party: LetIn) => Promise<unknown>]>([
    ['is made a guest', ({ host, event_id, rita }) => host.api.events.unmakeOrganizer({ event_id, user_id: rita.id })],
    ['leaves', ({ event_id, rita }) => rita.api.events.leaveEvent({ event_id })],
    ['is suspended', ({ rita }) => suspend(app.db, rita.id)],
    ['deletes their account', ({ rita }) => rita.api.privacy.deleteAccount({ user_password: rita.password })],
    ['is blocked by the guest', ({ anna, rita }) => anna.api.people.block({ user_id: rita.id })],
    ['blocks the guest', ({ anna, rita }) => rita.api.people.block({ user_id: anna.id })],
  ])('ends when the organizer %s', async (_, happens) => {
    const party = await letIn()
    await happens(party)
    await isOver(party.other)
    await party.anna.api.accounts.readAccount()
  })

  test.each<[string, (party: LetIn) => Promise<unknown>]>([
    ['comes to an event of others', async ({ anna }) => anna.api.links.joinByLink({ code: (await hold()).code })],
    ['makes an event', ({ anna }) => anna.api.events.saveEvent(evening())],
    ['becomes an organizer', ({ host, ofAnna }) => host.api.events.makeOrganizer(ofAnna)],
    ['gets a password', ({ anna }) => anna.api.accounts.claimAccount(claim())],
    ['signs out everywhere', ({ anna }) => anna.api.accounts.logout({ all_devices: true })],
    ['says that it was not them', ({ anna }) => anna.api.accounts.disownLetIns()],
  ])('ends when the guest %s', async (_, happens) => {
    const party = await letIn()
    await happens(party)
    await isOver(party.other)
  })

  test('goes on when the guest comes to another event of the organizer', async () => {
    const party = await letIn()
    await party.anna.api.links.joinByLink({ code: (await hold(party.rita)).code })
    await party.other.api.accounts.readAccount()
  })

  test('takes nothing from the guest’s own for a day', async () => {
    const party = await letIn()
    const { api, device } = party.other
    const acts = {
      claimAccount: () => api.accounts.claimAccount(claim()),
      keepOwnCode: () => api.returns.keepOwnCode({}),
      makeTransfer: () => api.transfers.makeTransfer(),
      removeDevice: () => api.accounts.removeDevice({ device_id: 'phone' }),
      logout: () => api.accounts.logout({ all_devices: true }),
      disownLetIns: () => api.accounts.disownLetIns(),
      makeCalendarFeed: () => api.plans.makeCalendarFeed(),
      readCalendarFeed: () => api.plans.readCalendarFeed({ show: true }),
      exportAccount: () => api.privacy.exportAccount(),
      deleteAccount: () => api.privacy.deleteAccount({}),
    }
    const refusing = operations.filter(({ refusals }) => 'letInLately' in refusals)
    expect(Object.keys(acts).sort()).toEqual(refusing.map(({ name }) => name).sort())
    for (const [name, act] of Object.entries(acts)) expect([name, await refusal(act())]).toEqual([name, tooSoon])
    await party.anna.api.accounts.readAccount()
    // Once the guest has had a day, they may have lost the phone.
    await dayLater(party)
    await api.returns.keepOwnCode({})
    await api.accounts.removeDevice({ device_id: device })
    await isOver(party.other)
  })

  test('is the guest’s if there is none of theirs, and after they gave it a password', async () => {
    const party = await letIn()
    await party.anna.api.accounts.logout()
    await party.other.api.accounts.claimAccount(claim())
    await party.host.api.events.unmakeOrganizer({ event_id: party.event_id, user_id: party.rita.id })
    await new Promise(done => setTimeout(done, 1200))
    await party.other.api.accounts.readAccount()
  })

  test('lets the devices in that it shows a code, and the key that it keeps, no longer than itself', async () => {
    const party = await letIn()
    const { other, event_id } = party
    const return_key = secret()
    await other.api.returns.makeReturnKey({ event_id, return_key })
    const next_return_key = secret()
    const back = await app.as().returns.returnByKey({ return_key, next_return_key, ...on(other.device) })
    await dayLater(party)
    const third = await take(codeOf(await app.as(back.token).transfers.makeTransfer()))
    await party.host.api.events.unmakeOrganizer({ event_id, user_id: party.rita.id })
    await isOver({ api: app.as(back.token) })
    await isOver(third)
    const again = { return_key: next_return_key, next_return_key: secret(), ...on(other.device) }
    expect(await refusal(app.as().returns.returnByKey(again))).toEqual(badCode)
  })

  test('is shown among the guest’s devices, with who let it in', async () => {
    const { anna, rita, other } = await letIn()
    const { data } = await anna.api.accounts.listDevices(paged)
    expect(Object.fromEntries(data.map(each => [each.device_id, each.let_in_by?.id ?? null]))).toEqual({
      phone: null,
      [other.device]: rita.id,
    })
  })
})

describe('the code that a guest keeps', () => {
  test.each<[string, (party: LetIn) => Promise<unknown>]>([
    ['is let in', async ({ host, ofAnna }) => take(codeOf(await host.api.returns.letInAgain(ofAnna)))],
    ['signs another device out', ({ anna, other }) => anna.api.accounts.removeDevice({ device_id: other.device })],
    ['signs out everywhere', ({ anna }) => anna.api.accounts.logout({ all_devices: true })],
    ['disowns whom an organizer let in', ({ anna }) => anna.api.accounts.disownLetIns()],
    [
      'has a session ended with the organizer’s role',
      ({ host, event_id, rita }) => host.api.events.unmakeOrganizer({ event_id, user_id: rita.id }),
    ],
  ])('is another after the guest %s', async (_, happens) => {
    const party = await letIn()
    const { code_text } = await party.anna.api.returns.keepOwnCode({})
    await take(code_text)
    await happens(party)
    expect(await refusal(take(code_text))).toEqual(badCode)
  })
})

describe('nobody lets themselves in as somebody else', () => {
  test('where they are signed in: neither by a code of theirs nor by a request from there', async () => {
    const { rita, anna, ofAnna, event_id, code } = await letIn()
    const { data } = await rita.api.accounts.listDevices(paged)
    const device_id = data[0]?.device_id ?? ''
    const made = codeOf(await rita.api.returns.letInAgain(ofAnna))
    expect(await refusal(take(made, device_id))).toEqual(badCode)
    expect(await refusal(take(made, secret(), rita.token))).toEqual(badCode)

    const return_code = secret()
    const asked = { code, user_first_name: 'Anna', return_code, device_id, user_device_platform: 'web' }
    await app.as().returns.askToReturn(asked)
    const [request] = (await rita.api.returns.listReturns({ event_id, ...paged })).data
    const approval = { return_id: request?.id ?? 0, user_id: anna.id }
    expect(await refusal(rita.api.returns.approveReturn(approval))).toEqual(ownReturn)
  })

  test('nor after the maker of the code is signed out everywhere', async () => {
    const { rita, ofAnna } = await letIn()
    const made = codeOf(await rita.api.returns.letInAgain(ofAnna))
    await rita.api.accounts.logout({ all_devices: true })
    expect(await refusal(take(made))).toEqual(badCode)
  })
})
