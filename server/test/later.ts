/**
 * Begins something that is awaited only after something else. Should it fail before that, or the test before it gets
 * there, Node would call the failure unhandled and the whole run would be red; this way it is whoever awaits it who
 * hears of it.
 */
export function later<Begun extends Promise<unknown> | Promise<unknown>[]>(begun: Begun): Begun {
  for (const each of [begun].flat()) each.catch(() => {})
  return begun
}
