import { audienceMay, can, ordinary, type Standing } from '@afterglow/contract/capabilities'
import type { ChangeRow } from '../log/announce.ts'
import type { Members, Recipient } from './payloads.ts'
import type { Sockets } from './sockets.ts'

const nobody: Members = { ids: [], roles: new Map(), viewers: new Map() }

/** The recipients of a change that are connected to this process. */
export const recipientsAmong = (sockets: Sockets, members: ReadonlyMap<number, Members>) => {
  const here = new Map<string, readonly Recipient[]>()
  return (change: ChangeRow): readonly Recipient[] => {
    const { audience, event_id: eventId, user_id: userId } = change
    const key = audience === 'user' ? `${eventId} ${userId}` : `${eventId} ${audience}`
    let found = here.get(key)
    if (!found) {
      const event = members.get(eventId ?? 0) ?? nobody
      const told = audience === 'user' ? [userId ?? 0] : toldOf(event, audience)
      const standingOf = (id: number): Standing =>
        event.roles.get(id) ??
        event.viewers.get(id) ??
        (audience !== 'user' || event.ids.includes(id) ? ordinary : 'none')
      found = told.filter(sockets.hasUser).map(id => ({ id, standing: standingOf(id) }))
      here.set(key, found)
    }
    return found
  }
}

/** The people of an event in an audience: everybody, or some of those who are not ordinary guests. */
const toldOf = ({ ids, roles, viewers }: Members, audience: keyof typeof audienceMay) => {
  const may = audienceMay[audience]
  if (can(ordinary, may)) return viewers.size > 0 ? [...ids, ...viewers.keys()] : ids
  return [...roles].filter(([, role]) => can(role, may)).map(([id]) => id)
}
