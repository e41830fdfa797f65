import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { notificationsOf, quick, quiet } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { invalid, notFound, refusal } from '../../test/refused.ts'
import { Invalid, refuse } from '../platform/http/refusals.ts'
import { actingFor } from '../platform/http/viewer.ts'
import { type Reportable, report } from './reports.ts'

const app = await openTestApp({}, { timing: quick })
const noSuchTarget = notFound('Report target not found!')
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const rows = () => app.db.selectFrom('reports').selectAll().orderBy('id').execute()
const ofUser = (report_id: number, report_reason = 'Writes nasty things') => ({
  report_type: 'user' as const,
  report_id,
  report_reason,
})

describe('a report', () => {
  test('a report of a person stands open with its reason', async () => {
    expect(await olivia.api.people.report(ofUser(gus.id, ' منشور مسيء 🤬 '))).toEqual({ done: true })
    expect(await rows()).toMatchObject([
      {
        reporter_id: olivia.id,
        type: 'user',
        target_id: gus.id,
        event_id: null,
        reason: 'منشور مسيء 🤬',
        status: 'open',
      },
    ])
  })

  test('a report of somebody whom the reporter cannot see is refused, and nothing is written', async () => {
    const [asha, sam, remy] = [await enter(app, 'asha'), await enter(app, 'sam'), await enter(app, 'remy')]
    await app.db.updateTable('users').set({ visible: false }).where('id', '=', asha.id).execute()
    await app.db.updateTable('users').set({ status: 3 }).where('id', '=', sam.id).execute()
    await remy.api.people.block({ user_id: olivia.id })
    const before = await rows()
    for (const id of [asha.id, sam.id, remy.id, 999_999_999])
      expect(await refusal(olivia.api.people.report(ofUser(id), { idempotencyKey: `r${id}` }))).toEqual(noSuchTarget)
    expect(await rows()).toEqual(before)
  })

  test('names its kind and says why', async () => {
    const wrong = { report_type: 'planet', report_id: 1, report_reason: 'x' } as never
    expect(await refusal(olivia.api.people.report(wrong))).toEqual(
      invalid('report_type', 'The selected report type is invalid.'),
    )
    expect(await refusal(olivia.api.people.report(ofUser(gus.id, '  ')))).toEqual(
      invalid('report_reason', 'The report reason field is required.'),
    )
    expect(await refusal(olivia.api.people.report(ofUser(gus.id, 'x'.repeat(2001))))).toEqual(
      invalid('report_reason', 'The report reason field must not be greater than 2000 characters.'),
    )
  })

  test('with an Idempotency-Key is written once, also by twins', async () => {
    const before = (await rows()).length
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => olivia.api.people.report(ofUser(gus.id), { idempotencyKey: 'once' })),
    )
    expect(answers).toEqual(Array(4).fill({ done: true }))
    expect(await rows()).toHaveLength(before + 1)
    const other = olivia.api.people.report(ofUser(gus.id, 'Another reason'), { idempotencyKey: 'once' })
    expect((await refusal(other)).status).toBe(400)
    expect(await rows()).toHaveLength(before + 1)
  })
})

describe('a report of something in an event', () => {
  const viewer = actingFor(olivia.id)
  const target = { type: 'photo' as const, id: 7, eventId: undefined, reason: 'Not mine to show' }
  const through = (door: Reportable['photo']) => ({ photo: door }) as Reportable

  test('goes through the door of what it is about and keeps the event', async () => {
    const event = await olivia.api.events.saveEvent({ event_name: 'x', event_starts_at: new Date().toISOString() })
    await report(
      app.db,
      viewer,
      through(async () => ({ eventId: event.id, userId: gus.id })),
      target,
    )
    expect((await rows()).at(-1)).toMatchObject({ type: 'photo', target_id: 7, event_id: event.id })
  })

  test('is not found when that door refuses, whatever its words', async () => {
    const before = await rows()
    const doors: Reportable['photo'][] = [
      () => refuse('noSuchPhoto'),
      () => {
        throw new Invalid({ photo: ['x'] })
      },
    ]
    for (const door of doors)
      await expect(report(app.db, viewer, through(door), target)).rejects.toMatchObject({ code: 'noSuchTarget' })
    expect(await rows()).toEqual(before)
  })

  test('fails as our fault when the door breaks', async () => {
    const broken = report(
      app.db,
      viewer,
      through(() => Promise.reject(new TypeError('broken'))),
      target,
    )
    await expect(broken).rejects.toThrow('broken')
  })
})

describe('reports and the organizers of an event', () => {
  const paged = { page: 1, page_length: 20 }
  const hold = async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    await bringIn(olivia, event_id, ana)
    const { id } = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Nasty' })
    return { event_id, ofMessage: { report_type: 'message' as const, report_id: Number(id), report_reason: 'Nasty' } }
  }
  const listed = async (member: Member, event_id: number) =>
    (await member.api.people.listReports({ event_id, ...paged })).data

  test('they read what was said and of whom, but not by whom; nobody else does, nor who it is about', async () => {
    const { event_id, ofMessage } = await hold()
    await ana.api.people.report(ofMessage)
    const [report] = await listed(olivia, event_id)
    expect(report).toMatchObject({ report_type: 'message', report_status: 'open', about: { id: gus.id } })
    expect(JSON.stringify(report)).not.toContain(ana.username)
    expect([await listed(gus, event_id), await listed(ana, event_id)]).toEqual([[], []])
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    expect(await listed(gus, event_id)).toEqual([])
    const mine = { report_id: report?.id ?? 0 }
    expect(await refusal(gus.api.people.resolveReport(mine))).toEqual(notFound('Report not found!'))
  })

  test('one of a person names the event, in which both must be; of a whole event only the operator hears', async () => {
    const { event_id } = await hold()
    const stranger = await enter(app, 'sam')
    const ofGus = { ...ofUser(gus.id), event_id }
    expect(await refusal(stranger.api.people.report(ofGus))).toEqual(noSuchTarget)
    await ana.api.people.report(ofGus)
    await ana.api.people.report({ report_type: 'event', report_id: event_id, report_reason: 'All of it' })
    expect((await listed(olivia, event_id)).map(({ report_type }) => report_type)).toEqual(['user'])
  })

  test('a report of a photo or a comment leads to the photo', async () => {
    const { event_id } = await hold()
    const image = new Blob([await png({ width: 24, height: 16 })])
    const photo_id = Number((await gus.api.gallery.uploadPhoto({ event_id, image })).id)
    const { id } = await gus.api.gallery.saveComment({ event_photo_id: photo_id, event_photo_comment: 'Nasty' })
    await ana.api.people.report({ report_type: 'photo', report_id: photo_id, report_reason: 'Not mine' })
    await ana.api.people.report({ report_type: 'comment', report_id: id, report_reason: 'Nasty' })
    expect((await listed(olivia, event_id)).map(({ event_photo_id }) => event_photo_id)).toEqual([photo_id, photo_id])
  })

  test('says whether what was reported is still to be seen', async () => {
    const { event_id, ofMessage } = await hold()
    await ana.api.people.report(ofMessage)
    await ana.api.people.report({ ...ofUser(gus.id), event_id })
    const visible = async () => (await listed(olivia, event_id)).map(one => one.report_target_visible)
    expect(await visible()).toEqual([true, true])
    await olivia.api.chats.hideMessage({ message_id: ofMessage.report_id })
    expect(await visible()).toEqual([true, true])
    await gus.api.chats.deleteMessage({ message_id: ofMessage.report_id })
    expect(await visible()).toEqual([true, false])
    const report_id = (await listed(olivia, event_id))[1]?.id ?? 0
    expect((await olivia.api.people.resolveReport({ report_id })).report_target_visible).toBe(false)
  })

  test('is resolved once, by whom is known, and stands in the log', async () => {
    const { event_id, ofMessage } = await hold()
    await ana.api.people.report(ofMessage)
    const report_id = (await listed(olivia, event_id))[0]?.id ?? 0
    const resolved = await olivia.api.people.resolveReport({ report_id })
    expect(resolved).toMatchObject({ report_status: 'resolved', resolved_by: { id: olivia.id } })
    expect(await olivia.api.people.resolveReport({ report_id })).toEqual(resolved)
    const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
    expect(data.filter(({ audit_act }) => audit_act === 'report.resolved')).toHaveLength(1)
    expect((await olivia.api.people.listReports({ event_id, report_status: 'open', ...paged })).data).toEqual([])
  })

  test('rings with the organizers, not with who it is about', async () => {
    const { event_id, ofMessage } = await hold()
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    await ana.api.people.report(ofMessage)
    await quiet(app)
    const kinds = async (member: Member) =>
      (await notificationsOf(member)).filter(one => one.event_id === event_id).map(one => one.notification_kind)
    expect(await kinds(olivia)).toContain('report')
    expect(await kinds(gus)).not.toContain('report')
  })

  test('about an organizer leaves no trace where they read: in the log, or in what webhooks are told', async () => {
    const { event_id, ofMessage } = await hold()
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    const { id: webhook_id } = await gus.api.webhooks.makeWebhook({ event_id, webhook_url: 'https://party.example/x' })
    const { id } = await ana.api.chats.saveMessage({
      group_chat_id: (await olivia.api.events.readEvent({ event_id })).group_chat_id,
      message_content: 'Nasty, too',
    })
    await ana.api.people.report(ofMessage)
    await gus.api.people.report({ ...ofMessage, report_id: Number(id) })
    const reports = await listed(olivia, event_id)
    expect(reports.map(({ about }) => about?.id)).toEqual([ana.id, gus.id])
    for (const { id: report_id } of reports) await olivia.api.people.resolveReport({ report_id })
    const { data } = await gus.api.events.listAudit({ event_id, ...paged })
    const resolved = data.filter(({ audit_act }) => audit_act === 'report.resolved')
    expect(resolved.map(({ subject_id }) => subject_id)).toEqual([reports[0]?.id])
    const told = async () =>
      (await gus.api.webhooks.listWebhookDeliveries({ webhook_id, ...paged })).data
        .filter(({ kind }) => kind === 'report.made')
        .map(({ subject_id }) => subject_id)
    await expect.poll(told).toContain(reports[0]?.id)
    expect(await told()).toEqual([reports[0]?.id])
    await gus.api.webhooks.deleteWebhook({ webhook_id })
  })

  test('rings in spite of a block between reporter and organizer, either way', async () => {
    const { event_id, ofMessage } = await hold()
    const second = await enter(app, 'asha')
    await bringIn(olivia, event_id, second)
    await olivia.api.events.makeOrganizer({ event_id, user_id: second.id })
    await ana.api.people.block({ user_id: olivia.id })
    await second.api.people.block({ user_id: ana.id })
    await ana.api.people.report(ofMessage)
    await quiet(app)
    for (const organizer of [olivia, second]) {
      const told = (await notificationsOf(organizer)).filter(one => one.event_id === event_id)
      const report = told.find(one => one.notification_kind === 'report')
      expect(report).toBeDefined()
      expect(JSON.stringify(report)).not.toContain(ana.username)
    }
    await ana.api.people.unblock({ user_id: olivia.id })
  })
})

describe('an operator of the instance', async () => {
  const paged = { page: 1, page_length: 100 }
  const operator = await enter(app, 'gwen')
  const rule = (is: boolean) =>
    app.db.updateTable('users').set({ operator: is }).where('id', '=', operator.id).execute()
  const about = async (target: number) =>
    (await operator.api.people.listReports(paged)).data.filter(one => one.report_target_id === target)
  await rule(true)

  test('reads every report, by whom it is as well, and resolves it unnamed; once no operator, nothing', async () => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, ana)
    await ana.api.people.report({ report_type: 'event', report_id: event_id, report_reason: 'All of it' })
    const [ofEvent] = (await about(event_id)).filter(one => one.report_type === 'event')
    expect(ofEvent).toMatchObject({ about: null, event_id, reported_by: { id: ana.id }, report_status: 'open' })

    await ana.api.people.report({ ...ofUser(gus.id), event_id: undefined })
    const [ofPerson] = (await about(gus.id)).filter(one => one.reported_by?.id === ana.id)
    expect(ofPerson).toMatchObject({ report_type: 'user', event_id: null, about: { id: gus.id } })

    const resolved = await operator.api.people.resolveReport({ report_id: ofEvent?.id ?? 0 })
    expect(resolved).toMatchObject({ report_status: 'resolved', resolved_by: null })
    const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
    expect(data.filter(({ audit_act }) => audit_act === 'report.resolved')).toEqual([])

    await rule(false)
    expect((await operator.api.people.listReports(paged)).data).toEqual([])
    expect(await refusal(operator.api.people.resolveReport({ report_id: ofPerson?.id ?? 0 }))).toEqual(
      notFound('Report not found!'),
    )
    await rule(true)
  })

  test('hears of each, but neither hears nor reads what is about themselves', async () => {
    const rung = async () => {
      await quiet(app)
      return (await notificationsOf(operator)).filter(one => one.notification_kind === 'report')
    }
    const before = await rung()
    await olivia.api.people.report(ofUser(operator.id))
    expect(await rung()).toEqual(before)
    expect((await about(operator.id)).filter(one => one.report_type === 'user')).toEqual([])

    await operator.api.notifications.readAllNotifications()
    await olivia.api.people.report(ofUser(gus.id))
    expect((await rung())[0]).toMatchObject({ notification_body: 'A person was reported.', event_id: null })
    expect(await rung()).toHaveLength(before.length + 1)
  })

  test('sees no more of events than anybody else, and is told so of what was reported', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, ana)
    await olivia.api.events.saveEvent({ event_id, ...evening({ event_visibility: 3 }) })
    const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Nasty' })
    await ana.api.people.report({ report_type: 'event', report_id: event_id, report_reason: 'All of it' })
    await ana.api.people.report({ report_type: 'message', report_id: Number(id), report_reason: 'Nasty' })
    const visible = async () =>
      (await operator.api.people.listReports({ event_id, ...paged })).data.map(one => one.report_target_visible)
    expect(await visible()).toEqual([false, false])
    expect(await refusal(operator.api.events.readEvent({ event_id }))).toEqual(notFound('Event not found!'))
    await olivia.api.events.invite({ event_id, user_ids: [operator.id] })
    const { data } = await operator.api.events.listInvitations({ page: 1, page_length: 1 })
    await operator.api.events.acceptInvitation({ invitation_id: data[0]?.id ?? 0 })
    expect(await visible()).toEqual([true, true])
  })
})
