import { queryClient } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import { newSecret } from '../app/secret.ts'
import { guestStatus, session } from '../app/session.ts'
import { keptLinks } from '../app/storage/join-code.ts'
import { returnKeyOf, saveReturnKey } from '../app/storage/return-keys.ts'
import { isIn } from '../events/event-words.ts'
import { nameOf } from '../people/names.ts'
import { accountQuery } from './queries.ts'

/** The event that this guest joined here, or else one they are in. */
const eventOf = async (userId: number): Promise<number | undefined> => {
  const joined = keptLinks().find(link => link.userId === userId)
  if (joined) return joined.eventId
  for (const filter of ['upcoming', 'past'] as const) {
    const { data } = await api.events.listEvents({ filter, page: 1, page_length: 20 })
    const mine = data.find(isIn)
    if (mine) return mine.id
  }
  return undefined
}

/** Gives a guest without a password a way back on this device, unless there is one. The next visit tries again. */
export const keepReturnKey = async (): Promise<void> => {
  const now = session.get()
  const before = now && returnKeyOf(now.userId)
  if (!now || now.guest === false || before?.known) return
  try {
    const account = await queryClient.fetchQuery(accountQuery)
    if (account.user_status !== guestStatus) return
    const eventId = await eventOf(account.id)
    if (eventId === undefined) return
    // Stored first: another tab, or a repeat, sends the same.
    const kept = { userId: account.id, name: nameOf(account), eventId, key: before?.key ?? newSecret() }
    saveReturnKey(kept)
    await api.returns.makeReturnKey({ event_id: eventId, return_key: kept.key })
    saveReturnKey({ ...kept, known: true })
  } catch {
    // Without a network, or signed out meanwhile.
  }
}
