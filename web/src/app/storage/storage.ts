/*
 * A browser that blocks cookies throws on access to a storage, and a full storage throws on a write. Memory replaces
 * them: everything works until the page is closed. Imported by modules that read a storage as soon as they load.
 */
for (const name of ['localStorage', 'sessionStorage'] as const) {
  let storage: Storage | undefined
  try {
    storage = globalThis[name]
    storage.setItem('room', ' '.repeat(4e3))
    storage.removeItem('room')
  } catch {
    const memory = Object.create({
      getItem: (place: string) => memory[place] ?? null,
      setItem: (place: string, text: string) => {
        memory[place] = text
      },
      removeItem: (place: string) => delete memory[place],
    })
    Object.defineProperty(globalThis, name, { value: Object.assign(memory, storage) })
  }
}

// A storage that fills up later throws on a write: a value without room is forgotten with the page.
const { setItem } = Storage.prototype
Storage.prototype.setItem = function (place, text) {
  try {
    setItem.call(this, place, text)
  } catch {
    // Full.
  }
}

/** Without it there are no other tabs to talk to. */
globalThis.BroadcastChannel ??= class extends EventTarget {
  postMessage() {}
  close() {}
} as unknown as typeof BroadcastChannel

/** Stored JSON; undefined if there is none, or if other code has overwritten it. */
export const readKept = <Kept>(text: string | null): Kept | undefined => {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}
