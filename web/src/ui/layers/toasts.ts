import { openStore } from '../../app/store.ts'
import { t } from '../../app/words.ts'

type Saying = {
  text: string
  /** An error. */
  bad?: boolean
  action?: { label: string; act: () => void } | undefined
  /** Stays until it is dismissed. */
  lasts?: boolean | undefined
}
export type Toast = Saying & { id: number }

export const toasts = openStore<readonly Toast[]>([])
let last = 0

/** Shows a message for a moment, at the edge of the page. Returns its ID. */
export const say = (text: string, action?: Toast['action'], lasts?: boolean) => add({ text, action, lasts })
/** Reports an act, with a button to undo it. */
export const sayUndoable = (text: string, undo: () => void) => say(text, { label: t('common.undo'), act: undo })
export const sayProblem = (text: string) => add({ text, bad: true })

const add = (saying: Saying) => {
  const rest = toasts.get().filter(({ text }) => text !== saying.text)
  toasts.set([...rest.slice(-2), { ...saying, id: ++last }])
  return last
}

export const dismiss = (gone: number) => toasts.set(toasts.get().filter(({ id }) => id !== gone))
