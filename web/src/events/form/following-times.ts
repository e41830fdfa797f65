import type { FormEvent } from 'react'

const msOf = (wall: string | undefined) => Date.parse(`${wall}Z`)
const isWritten = (wall: string) => /^\d{4}-/.test(wall)

/**
 * Moves every time of a form with the beginning of its event while that is typed, except those that somebody has set. How
 * long after it each comes is kept from before the first change, so that a year half typed loses nothing.
 */
export const followStart = ({ target, currentTarget: form }: FormEvent<HTMLFormElement>) => {
  const changed = target as HTMLInputElement
  if (changed.type !== 'datetime-local') return
  changed.dataset.set = 'set'
  const start = msOf(changed.value)
  if (changed.name !== 'event_starts_at' || Number.isNaN(start)) return
  const before = msOf(changed.dataset.before ?? changed.defaultValue)
  changed.dataset.before = changed.value
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=datetime-local]:not([data-set])')) {
    input.dataset.after ??= String(msOf(input.value) - before)
    const after = Number(input.dataset.after)
    const moved = Number.isNaN(after) ? '' : new Date(start + after).toISOString()
    if (isWritten(moved)) input.value = moved.slice(0, 16)
  }
}

/** How long after a beginning a time comes: times that moved with it are unchanged. */
export const apart = (start: string) => (wall: string) => String(msOf(wall) - msOf(start))
