/** An element as an engine's protocol names it. */
export type Handle = { readonly handle: string }

/** What every engine can be told to do, in the words of its own protocol; `tab.ts` makes of it what people do. */
export type Driver = {
  open(address: string): Promise<void>
  /** The elements with this role and name as the engine tells them to a screen reader. */
  named(role: string, name: string): Promise<Handle[]>
  /** The elements that a selector finds. */
  selected(css: string): Promise<Handle[]>
  /** Runs a function's text in the page, with an element and what JSON can say, and gives what it resolves to. */
  run(text: string, handle: Handle | undefined, given: unknown): Promise<unknown>
  /** Presses and lets go, where in the window. */
  click(x: number, y: number): Promise<void>
  /** Presses keys one after the other, in whatever has the focus. */
  keys(keys: readonly string[]): Promise<void>
  choose(input: Handle, paths: readonly string[]): Promise<void>
  /** As PNG. */
  picture(): Promise<Buffer>
}

/** Keys that write nothing, as both protocols name them. */
export const keys = { Backspace: '\uE003', Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' } as const

/** What a keyboard does for them, as both protocols say it. */
export const pressed = (keys: readonly string[]) =>
  keys.flatMap(value => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

/** What is awaited and put into words in the page itself: an engine's own way to hand out values differs. */
export const wrapped = (text: string) =>
  `async function (element, given) { return JSON.stringify((await (${text})(element, JSON.parse(given))) ?? null) }`
