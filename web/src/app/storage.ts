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

export {}
