import { NotStored, type Storage } from './storage.ts'

/** Storage while an instance moves: everything new goes `to` one place, and what is not there yet is read `from` the other. */
export const moving = (to: Storage, from: Storage): Storage => ({
  temporary: to.temporary,
  put: to.put,

  async open(sha256, range) {
    try {
      return await to.open(sha256, range)
    } catch (error) {
      if (!(error instanceof NotStored)) throw error
      return from.open(sha256, range).catch(lost => {
        // Between the two lookups it may have arrived, and been removed from where it was.
        if (!(lost instanceof NotStored)) throw lost
        return to.open(sha256, range)
      })
    }
  },

  has: async sha256 => (await to.has(sha256)) || (await from.has(sha256)) || to.has(sha256),

  async find(sha256) {
    const [there, here] = await Promise.all([to.find(sha256), from.find(sha256)])
    if (!there || !here) return there ?? here
    return here.storedAt > there.storedAt ? here : there
  },

  async remove(sha256) {
    await from.remove(sha256)
    await to.remove(sha256)
  },

  async *stored() {
    yield* to.stored()
    yield* from.stored()
  },

  dropUnfinished: async before => (await to.dropUnfinished(before)) + (await from.dropUnfinished(before)),

  close() {
    to.close()
    from.close()
  },
})
