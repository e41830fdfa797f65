import { settled } from '../instance/processes.ts'
import type { TestBed } from '../test-bed.ts'
import { wholeList } from './acknowledged.ts'

/** I2: sequences, list pages and every connected member's channel agree about each chat. */
export const checkOrder = async ({ ask, service, party, listeners, report }: TestBed): Promise<void> => {
  for (const { chatId } of [party.loud, party.quiet]) {
    const rows = await service.sql<{ id: number; sequence: number }>(
      'select id, sequence from messages where group_chat_id = $1 order by sequence',
      [chatId],
    )
    const due = rows.map(({ id }) => id)
    const found: string[] = []
    const gap = rows.findIndex(({ sequence }, at) => sequence !== at + 1)
    if (gap >= 0) found.push(`chat ${chatId} has sequence ${rows[gap]?.sequence} in place ${gap + 1}`)
    const shown = (await wholeList(ask, party.organizer.token, 'api/message/list', { group_chat_id: chatId }, 7))
      .map(one => Number(one.id))
      .reverse()
    found.push(...firstDifference(`the pages of chat ${chatId}`, shown, due))
    for (const person of [party.organizer, ...party.writers, party.muter, party.blocker]) {
      const listener = listeners.get(person)
      if (!listener || listener.staleTimes > 0) continue
      const heard = () =>
        listener.heard.flatMap(({ kind, payload }) =>
          kind === 'message.created' && Number(payload.group_chat_id) === chatId ? [Number(payload.id)] : [],
        )
      found.push(...(await settled(() => firstDifference(`what ${person.name} heard of chat ${chatId}`, heard(), due))))
    }
    report.checked('I2', due.length * (listeners.size + 1), found)
  }
}

const firstDifference = (what: string, found: readonly number[], due: readonly number[]): string[] => {
  const at = due.findIndex((id, index) => found[index] !== id)
  if (at < 0 && found.length === due.length) return []
  const words =
    at < 0
      ? `goes on with ${found[due.length]} after the end`
      : `has ${found[at] ?? 'nothing'} where message ${due[at]} is due`
  return [`${what} ${words} (${found.length} of ${due.length})`]
}
