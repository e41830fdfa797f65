import { setTimeout as sleep } from 'node:timers/promises'
import { insist } from '../people/party.ts'
import type { TestBed } from '../test-bed.ts'

/** I7: somebody pages through the loud chat from an anchor again and again, while others write and faults happen. */
export const letWalk = ({ ask, party, random, service, report }: TestBed) => {
  let walking = true
  const walks: { anchor: number; ids: number[] }[] = []
  const { token } = party.muter
  const list = async (query: Record<string, number>) => {
    const text = new URLSearchParams({ group_chat_id: party.loud.chatId, ...query } as unknown as Record<
      string,
      string
    >)
    const { status, body } = await insist(ask, 'GET', `api/message/list?${text}`, { token })
    return status === 200 ? body : undefined
  }
  const walk = async () => {
    const newest = (await list({ page: 1, page_length: 1 }))?.data[0]
    if (!newest) return
    const anchor = Number(newest.id)
    const ids: number[] = []
    const page_length = random.whole(2, 9)
    for (let page = 1; walking; page++) {
      const shown = await list({ message_id: anchor, page, page_length })
      if (!shown) return
      ids.push(...shown.data.map(({ id }: { id: string }) => Number(id)))
      if (shown.next_page_url === null) {
        walks.push({ anchor, ids })
        return
      }
    }
  }
  const running = (async () => {
    for (; walking; await sleep(250))
      await walk().catch((fault: Error) => report.found('I7', `a walk through pages ended: ${fault.message}`))
  })()
  return async () => {
    walking = false
    await running
    const rows = await service.sql<{ id: number }>(
      'select id from messages where group_chat_id = $1 order by sequence desc',
      [party.loud.chatId],
    )
    const all = rows.map(({ id }) => id)
    const found = walks.flatMap(({ anchor, ids }) => {
      const due = all.slice(all.indexOf(anchor))
      const at = due.findIndex((id, index) => ids[index] !== id)
      if (at < 0 && ids.length === due.length) return []
      return [`pages from message ${anchor} on have ${ids[at] ?? 'nothing'} where ${due[at] ?? 'nothing'} is due`]
    })
    report.checked(
      'I7',
      walks.reduce((sum, { ids }) => sum + ids.length, 0),
      found,
    )
  }
}
