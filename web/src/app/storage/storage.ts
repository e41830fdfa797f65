/*
 * A browser that blocks cookies throws at the name of a storage already, and a full one at what is written. Memory takes
 * its place: everything works until the page is closed. Imported by what reads a storage as soon as it is loaded.
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

// One that fills up later throws at whatever is written then: what does not fit is only forgotten with the page.
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

/** What was stored as JSON; undefined if there is none, or something else has written there. */
export const readKept = <Kept>(text: string | null): Kept | undefined => {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}
