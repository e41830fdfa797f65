import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, sam, remy, gwen } = await party(app)
const paged = { page: 1, page_length: 20 }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const noSuchLink = notFound('Link not found!')

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

const hold = async (fields: Record<string, unknown> = {}) => (await olivia.api.events.saveEvent(evening(fields))).id
const link = (event_id: number, fields: Record<string, unknown> = {}) =>
  olivia.api.links.makeLink({ event_id, ...fields })
const open = (code: string) => app.as().links.openLink({ code })
const come = (code: string, fields: Record<string, unknown> = {}) =>
  app.as().links.joinByLink({ code, user_first_name: 'Anna', ...fields })
const comeAs = (member: Member, code: string) => member.api.links.joinByLink({ code })
const expire = (id: number) =>
  app.db
    .updateTable('event_links')
    .set({ expires_at: new Date(0) })
    .where('id', '=', id)
    .execute()

describe('a link', () => {
  test('shows its event to anybody who has it, a private one too, and no more than an invitation says', async () => {
    const event_id = await hold({
      event_visibility: 3,
      event_join_mode: 3,
      event_location: 'A secret place',
      event_location_hidden: true,
    })
    const { link_code, ...made } = await link(event_id, { expires_at: inAnHour(), pin: '2468' })
    expect(made).toMatchObject({ link_status: 'open', link_uses: 0, link_max_uses: null, link_pin_required: true })
    expect(made.link_url).toBe(`${app.url}/j/${link_code}`)
    expect(link_code).toMatch(/^[\w-]{22}$/)
    const shown = await open(link_code)
    expect(shown).toMatchObject({ event_id, event_name: 'Midsummer at the lake', link_pin_required: true })
    expect(shown.host).toMatchObject({ id: olivia.id, user_first_name: 'Olivia' })
    expect(JSON.stringify(shown)).not.toContain('secret place')
  })

  test('lets in everybody who has it, whatever the visibility and the join mode', async () => {
    const event_id = await hold({ event_visibility: 3, event_join_mode: 3 })
    const { link_code } = await link(event_id)
    const { user, token } = await comeAs(gus, link_code)
    expect([user.id, token]).toEqual([gus.id, gus.token])
    expect(await gus.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'guest', event_guests_count: 2 })
  })

  test('grants what was asked for before, and spends no use on who is in', async () => {
    const event_id = await hold()
    const { link_code } = await link(event_id, { max_uses: 1 })
    await gus.api.events.askToJoin({ event_id })
    await comeAs(gus, link_code)
    expect((await olivia.api.events.listJoinRequests({ event_id, ...paged })).data).toEqual([])
    const other = await link(event_id, { max_uses: 1 })
    await comeAs(gus, other.link_code)
    await comeAs(sam, other.link_code)
    const { data } = await olivia.api.links.listLinks({ event_id, ...paged })
    expect(data.map(({ link_uses, link_status }) => [link_uses, link_status])).toEqual([
      [1, 'used_up'],
      [1, 'used_up'],
    ])
  })

  test('is made, listed and revoked by organizers alone', async () => {
    const event_id = await hold()
    const { id, link_code } = await link(event_id)
    await bringIn(olivia, event_id, gus)
    const notOrganizer = says('The user is not an organizer of the event')
    expect(await refusal(gus.api.links.makeLink({ event_id }))).toEqual(notOrganizer)
    expect(await refusal(gus.api.links.listLinks({ event_id, ...paged }))).toEqual(notOrganizer)
    expect(await refusal(gus.api.links.revokeLink({ link_id: id }))).toEqual(notOrganizer)
    const hidden = await link(await hold({ event_visibility: 3 }))
    expect(await refusal(gwen.api.links.revokeLink({ link_id: hidden.id }))).toEqual(noSuchLink)
    expect(await olivia.api.links.revokeLink({ link_id: id })).toEqual({ done: true })
    expect(await olivia.api.links.revokeLink({ link_id: id })).toEqual({ done: true })
    expect(await refusal(open(link_code))).toEqual(noSuchLink)
  })

  test('tells its PIN to every organizer again, and to nobody else', async () => {
    const event_id = await hold()
    const made = await link(event_id, { pin: '0427' })
    await bringIn(olivia, event_id, gwen)
    await olivia.api.events.makeOrganizer({ event_id, user_id: gwen.id })
    await link(event_id)
    const { data } = await gwen.api.links.listLinks({ event_id, ...paged })
    expect([made.link_pin, data.map(({ link_pin }) => link_pin)]).toEqual(['0427', [null, '0427']])
    expect(JSON.stringify(await open(made.link_code))).not.toContain('0427')
    // A PIN copied from another link with the same secret, as anyone who can write to the database could do, reveals
    // nothing.
    const other = await link(event_id, { pin: '5555' })
    await sql`update event_links set pin_sealed = (select pin_sealed from event_links where id = ${other.id})
      where id = ${made.id}`.execute(app.db)
    const again = (await olivia.api.links.listLinks({ event_id, ...paged })).data
    expect(again.find(({ id }) => id === made.id)).toMatchObject({ link_pin: null, link_pin_required: true })
  })

  test('with a key is made once, and its code lies nowhere in the database', async () => {
    const event_id = await hold()
    const make = () => olivia.api.links.makeLink({ event_id, pin: '7391' }, { idempotencyKey: `link ${event_id}` })
    const [first, second] = await Promise.all([make(), make()])
    expect(second).toEqual(first)
    const rows = await app.db.selectFrom('event_links').selectAll().where('event_id', '=', event_id).execute()
    const replies = await app.db.selectFrom('idempotency_keys').select(['reply']).execute()
    expect(rows).toHaveLength(1)
    for (const secret of [first.link_code, '7391']) expect(JSON.stringify([rows, replies])).not.toContain(secret)
  })
})

describe('a link that lets nobody in says so, and changes nothing', () => {
  const refused = async (event_id: number, code: string) => {
    const answers = await unchanged(app.db, event_id, async () => [
      await refusal(open(code)),
      await refusal(come(code)),
      await refusal(comeAs(sam, code)),
    ])
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    return answers[0]
  }

  test('a code that nobody made', async () => {
    expect(await refused(await hold(), 'A'.repeat(22))).toEqual(noSuchLink)
  })
  test('one that expired', async () => {
    const event_id = await hold()
    const { id, link_code } = await link(event_id, { expires_at: inAnHour() })
    await expire(id)
    expect(await refused(event_id, link_code)).toEqual(says('The link has expired'))
  })
  test('one that was used up', async () => {
    const event_id = await hold()
    const { link_code } = await link(event_id, { max_uses: 1 })
    await come(link_code)
    expect(await refused(event_id, link_code)).toEqual(says('The link has been used up'))
  })
  test('one of an event that was called off, or is gone', async () => {
    const event_id = await hold()
    const { link_code } = await link(event_id)
    await olivia.api.events.cancelEvent({ event_id })
    expect(await refused(event_id, link_code)).toEqual(says('The event has been cancelled'))
    await olivia.api.events.deleteEvent({ event_id })
    expect(await refused(event_id, link_code)).toEqual(noSuchLink)
  })
  test('one that could never work cannot be made', async () => {
    const event_id = await hold()
    const past = { expires_at: '2020-01-01T00:00:00Z' }
    expect(await refusal(link(event_id, past))).toEqual(
      invalid('expires_at', 'The expires at field must be a date in the future.'),
    )
    expect(await refusal(link(event_id, { max_uses: 0 }))).toEqual(
      invalid('max_uses', 'The max uses field must be at least 1.'),
    )
    expect(await refusal(link(event_id, { pin: 'abcd' }))).toEqual(invalid('pin', 'The pin field format is invalid.'))
  })
})

describe('who is not welcome', () => {
  test('stays out when an organizer took them out, until an organizer lets them in', async () => {
    const event_id = await hold()
    const { link_code } = await link(event_id)
    await comeAs(remy, link_code)
    await olivia.api.events.removeGuest({ event_id, user_id: remy.id })
    expect(await refusal(comeAs(remy, link_code))).toEqual(
      says('An organizer took the user out of the event, and only an organizer can let them in again'),
    )
    await bringIn(olivia, event_id, remy)
    await remy.api.events.leaveEvent({ event_id })
    await comeAs(remy, link_code)
  })

  test('finds no link of somebody who blocked them', async () => {
    const rita = await enter(app, 'rita')
    const { link_code } = await link(await hold())
    await olivia.api.people.block({ user_id: rita.id })
    expect(await refusal(comeAs(rita, link_code))).toEqual(noSuchLink)
  })

  test('with a token that has ended does not become a guest', async () => {
    const { link_code } = await link(await hold())
    const ana = await enter(app, 'ana')
    await ana.api.accounts.logout()
    expect(await refusal(comeAs(ana, link_code))).toEqual({ status: 401, body: { message: 'Unauthenticated.' } })
  })
})

describe('as a picture', () => {
  test.each([
    ['link_qr_svg_url', 'image/svg+xml', '<svg'],
    ['link_qr_png_url', 'image/png', 'PNG'],
  ] as const)('%s needs no bearer and is there as long as the link works', async (field, type, begins) => {
    const made = await link(await hold())
    const reply = await fetch(made[field])
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type])
    expect((await reply.text()).slice(0, 6)).toContain(begins)
    await olivia.api.links.revokeLink({ link_id: made.id })
    expect((await fetch(made[field])).status).toBe(404)
  })
})

describe('an invitation by mail', () => {
  const proveAddress = (of: { id: number }) =>
    app.db.updateTable('users').set({ status: 1 }).where('id', '=', of.id).execute()
  const mails = async () => {
    const folder = join(app.dataDir, 'mail')
    const names = await readdir(folder).catch(() => [])
    return Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))
  }

  test('carries a link of its own that serves once, for who has no account', async () => {
    const event_id = await hold({ event_visibility: 3 })
    const user_emails = ['new.guest@example.com', 'NEW.guest@example.com']
    const unproven = () => refusal(olivia.api.events.invite({ event_id, user_emails }))
    expect(await unchanged(app.db, event_id, unproven)).toEqual(
      says('Please confirm your e-mail address before you invite by mail.'),
    )
    await proveAddress(olivia)
    expect(await olivia.api.events.invite({ event_id, user_emails })).toEqual({ invited_count: 1 })
    const { data } = await olivia.api.links.listLinks({ event_id, ...paged })
    expect(data).toMatchObject([{ link_max_uses: 1, link_pin_required: false, link_status: 'open' }])
    const code = data[0]?.link_code ?? ''
    await vi.waitFor(async () => {
      const mine = (await mails()).filter(mail => mail.includes('new.guest@example.com'))
      expect(mine).toHaveLength(1)
      // Quoted-printable may break a line within the code.
      expect(mine[0]?.replaceAll(/=\r?\n/g, '')).toContain(code)
    })
    await come(code)
    expect(await refusal(come(code))).toEqual(says('The link has been used up'))
  })

  test('is an organizer’s to make, and somebody must be named', async () => {
    const event_id = await hold()
    const asked = gus.api.events.invite({ event_id, user_emails: ['a@example.com'] })
    expect(await refusal(asked)).toEqual(says('The user is not an organizer of the event'))
    expect(await refusal(olivia.api.events.invite({ event_id }))).toEqual(
      invalid('user_ids', 'The user ids field is required.'),
    )
    expect((await refusal(olivia.api.events.invite({ event_id, user_emails: ['nobody'] }))).status).toBe(400)
  })
})
