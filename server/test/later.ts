/**
 * Starts something that is awaited only after something else. If it fails before that, or the test fails before
 * reaching the await, Node would report an unhandled rejection and fail the whole run; wrapped like this, only the
 * awaiting code sees the failure.
 */
export function later<Begun extends Promise<unknown> | Promise<unknown>[]>(begun: Begun): Begun {
  for (const each of [begun].flat()) each.catch(() => {})
  return begun
}
