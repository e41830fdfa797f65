import { settled } from '../instance/processes.ts'
import type { Person } from '../people/party.ts'
import type { TestBed } from '../test-bed.ts'

/**
 * I4, in the quiet event, where nothing is withdrawn: each message is counted once for everybody who is due it, and
 * pushes nowhere else.
 */
export const checkNotified = async (testBed: TestBed): Promise<void> => {
  const { ledger, party, report, service } = testBed
  const said = ledger.believed.filter(({ kind, place }) => kind === 'message' && place === party.quiet.chatId)
  const dueTo = ({ id }: Person, without?: Person) =>
    said.filter(({ author }) => author !== id && author !== without?.id).length
  // Writing marks everything before it as read, and what is read is no longer due.
  const due = new Map<Person, number>([
    ...[party.organizer, party.muter].map((person): [Person, number] => [person, dueTo(person)]),
    [party.blocker, dueTo(party.blocker, party.writers[0])],
    [party.removed, 0],
    [party.stranger, 0],
  ])
  const counted = async () => {
    const rows = await service.sql<{ user_id: number; count: number }>(
      `select user_id, sum(count)::bigint as count from notifications
       where event_id = $1 and kind in ('message', 'message_reply', 'mention') and withdrawn_at is null group by user_id`,
      [party.quiet.eventId],
    )
    return new Map(rows.map(row => [row.user_id, row.count]))
  }
  const wrong = async () => {
    const counts = await counted()
    return [...due]
      .filter(([{ id }, count]) => (counts.get(id) ?? 0) !== count)
      .map(([{ id, name }, count]) => `${name} was notified of ${counts.get(id) ?? 0} messages where ${count} are due`)
  }
  report.checked('I4', said.length * due.size, await settled(wrong))
  const rung = await service.sql<{ id: number; own: boolean }>(
    "select id, actor_id = user_id as own from notifications where kind <> 'test'",
  )
  const ofOwnActs = rung.filter(({ own }) => own)
  report.checked(
    'I4',
    rung.length,
    ofOwnActs.map(({ id }) => `notification ${id} tells somebody of what they did themselves`),
  )
  await checkJobs(testBed)
  await checkWays(testBed)
}

/** No due job may wait: nothing else would notice a queue that stands still. */
const checkJobs = async ({ report, service }: TestBed) => {
  const waiting = async () => {
    const rows = await service.sql<{ task: string; attempts: number; last_error: string | null }>(
      `select task, attempts, last_error from jobs
       where run_at < now() - interval '5 seconds' and failed_at is null`,
    )
    return rows.map(
      ({ task, attempts, last_error }) =>
        `a job (${task}) is due and was begun ${attempts} times, last ended by ${last_error ?? 'nothing'}`,
    )
  }
  report.checked('I12', 1, await settled(waiting))
}

/** A notification recorded as delivered over the channel was received there; a muted one went nowhere. */
const checkWays = async ({ listeners, party, report, service }: TestBed) => {
  const deliveries = () =>
    service.sql<{ id: number; user_id: number; way: string; state: string; quiet: boolean }>(
      `select n.id, n.user_id, d.way, d.state, coalesce(n.event_id = $1 and n.kind = 'message', false) as quiet
       from deliveries d join notifications n on n.id = d.notification_id where n.withdrawn_at is null`,
      [party.quiet.eventId],
    )
  const unheard = async () => {
    const rows = await deliveries()
    const found: string[] = []
    for (const [person, { heard, staleTimes }] of listeners) {
      if (staleTimes > 0) continue
      const told = new Set(heard.flatMap(({ kind, payload }) => (kind === 'notification.created' ? [payload.id] : [])))
      for (const { id, way, state } of rows.filter(({ user_id }) => user_id === person.id))
        if (way === 'channel' && state !== 'failed' && state !== 'skipped' && !told.has(id))
          found.push(`notification ${id} is ${state} over the channel of ${person.name}, who heard nothing`)
    }
    const silent = rows.filter(({ user_id, quiet, way }) => quiet && user_id === party.muter.id && way !== 'none')
    return [...found, ...silent.map(({ id, way }) => `notification ${id} went by ${way} to who has muted the chat`)]
  }
  report.checked('I4', (await deliveries()).length, await settled(unheard))
}
