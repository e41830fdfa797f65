import { seensShownMax } from '@afterglow/contract/limits'
import type { SeenMark } from './seen-marks.ts'

/** Whose mark, of these, has reached a message: its author left out, the furthest first. `marks` are sorted so. */
export const reaching = (
  { sequence, user_id: authorId }: { sequence: number; user_id: number },
  marks: readonly SeenMark[],
): number[] => {
  const people: number[] = []
  for (const { user_id, seen_sequence } of marks) {
    if (seen_sequence < sequence || people.length === seensShownMax) break
    if (user_id !== authorId) people.push(user_id)
  }
  return people
}
