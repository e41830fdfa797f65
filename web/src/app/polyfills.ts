/* Polyfills for the oldest supported browsers (`build/floor.ts`). Imported before everything else. */

const fill = (of: object, methods: Record<string, unknown>) => {
  for (const [name, value] of Object.entries(methods))
    if (!(name in of)) Object.defineProperty(of, name, { value, writable: true, configurable: true })
}

const at = function (this: ArrayLike<unknown>, index: number) {
  const place = Math.trunc(index) || 0
  return this[place < 0 ? this.length + place : place]
}

fill(Array.prototype, {
  at,
  findLast<T>(this: T[], test: (value: T) => unknown) {
    return [...this].reverse().find(test)
  },
  findLastIndex<T>(this: T[], test: (value: T) => unknown) {
    const found = [...this].reverse().findIndex(test)
    return found < 0 ? -1 : this.length - 1 - found
  },
  toReversed<T>(this: T[]) {
    return [...this].reverse()
  },
  toSorted<T>(this: T[], compare?: (one: T, other: T) => number) {
    return [...this].sort(compare)
  },
  toSpliced<T>(this: T[], ...change: Parameters<T[]['splice']>) {
    const copy = [...this]
    copy.splice(...change)
    return copy
  },
})
fill(String.prototype, { at })
fill(Object, {
  hasOwn: (of: object, name: PropertyKey) => Reflect.getOwnPropertyDescriptor(of, name) !== undefined,
})
fill(AbortSignal, {
  timeout(ms: number) {
    const cut = new AbortController()
    setTimeout(() => cut.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms)
    return cut.signal
  },
})

export {}
