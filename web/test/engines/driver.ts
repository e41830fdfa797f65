/** An element's identifier in an engine's protocol. */
export type Handle = { readonly handle: string }

/**
 * The acts that every engine can perform, in the terms of its own protocol; `tab.ts` composes people's acts from them.
 */
export type Driver = {
  open(address: string): Promise<void>
  /** The elements with this role and name, as the engine reports them to a screen reader. */
  named(role: string, name: string): Promise<Handle[]>
  /** The elements that a selector finds. */
  selected(css: string): Promise<Handle[]>
  /** Runs a function's source in the page, with an element and JSON values, and returns its result. */
  run(text: string, handle: Handle | undefined, given: unknown): Promise<unknown>
  /** Presses and releases at this point of the window. */
  click(x: number, y: number): Promise<void>
  /** Presses keys in order, in the focused element. */
  keys(keys: readonly string[]): Promise<void>
  choose(input: Handle, paths: readonly string[]): Promise<void>
  picture(): Promise<Buffer>
}

/** Non-printing keys, as both protocols name them. */
export const keys = { Backspace: '\uE003', Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' } as const

/** Key presses as both protocols describe them. */
export const pressed = (keys: readonly string[]) =>
  keys.flatMap(value => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

/** Awaits and serializes in the page itself: engines differ in how they return values. */
export const wrapped = (text: string) =>
  `async function (element, given) { return JSON.stringify((await (${text})(element, JSON.parse(given))) ?? null) }`
