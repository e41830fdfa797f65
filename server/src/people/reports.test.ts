import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { invalid, notFound, refusal } from '../../test/refused.ts'
import { Invalid, refuse } from '../platform/http/refusals.ts'
import { type Reportable, report } from './reports.ts'

const app = await openTestApp()
const noSuchTarget = notFound('Report target not found!')
const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
const rows = () => app.db.selectFrom('reports').selectAll().orderBy('id').execute()
const ofUser = (report_id: number, report_reason = 'Writes nasty things') => ({
  report_type: 'user' as const,
  report_id,
  report_reason,
})

describe('a report', () => {
  test('of a person stands open with its reason', async () => {
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

  test('of whom the reporter cannot see is refused, and nothing is written', async () => {
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
  const viewer = { id: olivia.id, deviceRow: 0 }
  const target = { type: 'photo' as const, id: 7, reason: 'Not mine to show' }
  const through = (door: Reportable['photo']) => ({ photo: door }) as Reportable

  test('goes through the door of what it is about and keeps the event', async () => {
    const event = await olivia.api.events.saveEvent({ event_name: 'x', event_starts_at: new Date().toISOString() })
    await report(
      app.db,
      viewer,
      through(async () => ({ eventId: event.id })),
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
