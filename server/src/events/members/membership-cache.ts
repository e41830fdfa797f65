import { LRUCache } from 'lru-cache'
import type { Members, Membership } from '../../channel/payloads.ts'
import type { Db } from '../../platform/database/database.ts'
import * as store from './membership-cache-store.ts'

const membersKeptMax = 500_000

const rolesById = (roles: store.MembersVersion['roles']): Members['roles'] =>
  new Map(Object.entries(roles ?? {}).map(([id, role]) => [Number(id), role]))

/**
 * The people of an event, for notifying them. The list is kept as long as it is valid: joining raises the event's guest
 * count and leaving raises its departures, so the two together never stand for different people. They are read anew
 * each time, so a committed removal takes effect.
 */
export const openMembership = (): Membership => {
  const kept = new LRUCache<number, { version: string; ids: readonly number[] }>({
    maxSize: membersKeptMax,
    sizeCalculation: ({ ids }) => ids.length + 1,
  })
  const membersAt = async (db: Db, versions: readonly store.MembersVersion[]) => {
    const stale = versions.filter(({ id, version }) => kept.get(id)?.version !== version)
    const read = await store.idsOfMembersByEvent(
      db,
      stale.map(({ id }) => id),
    )
    for (const { id, version } of stale) kept.set(id, { version, ids: read.get(id) ?? [] })
    return new Map(
      versions.map(({ id, roles, viewers }): [number, Members] => [
        id,
        { ids: read.get(id) ?? kept.get(id)?.ids ?? [], roles: rolesById(roles), viewers: rolesById(viewers) },
      ]),
    )
  }
  return {
    membersOf: async (db, eventIds) =>
      eventIds.length === 0 ? new Map() : membersAt(db, await store.readMembersVersions(db, eventIds)),
    readWithin: store.membersVersions,
    membersAt: (db, read) => membersAt(db, (read as store.MembersVersion[] | null) ?? []),
    eventsOf: store.eventsOfMember,
    eventsOfMembers: store.eventsOfMembers,
  }
}
