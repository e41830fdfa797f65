import { actInstead, discard } from '../app/storage/acts.ts'
import { type Act, type Acts, acts, type Kind } from '../app/storage/pending-acts.ts'
import { dismiss, sayUndoable } from './layers/toasts.ts'

/** Longer than the notice about it. */
const undoMs = 7_000

/**
 * Performs an act that is only sent once it can no longer be undone, so that nobody else hears of an undone act. `undo`
 * restores the previous display.
 */
export const doUndoably = <Each extends Kind>(
  [kind, about, told]: readonly [Each, string, Acts[Each]],
  text: string,
  undo: () => void,
) => {
  const undoUntil = Date.now() + undoMs
  const isIt = (each: Act) => each.about === about && each.undoUntil === undoUntil
  void actInstead(kind, about, told, undoUntil)
  const notice = sayUndoable(text, () => {
    const waiting = acts.get().filter(isIt)
    for (const { at } of waiting) void discard(at)
    if (waiting.length > 0) undo()
  })
  const stop = acts.follow(all => {
    if (all.some(isIt)) return
    stop()
    dismiss(notice)
  })
}
