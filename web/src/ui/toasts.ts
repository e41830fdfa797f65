import { openStore } from '../app/store.ts'

export type Said = {
  id: number
  text: string
  tone: 'plain' | 'bad'
  action?: { label: string; act: () => void }
  /** Until it is dismissed. */
  lasts: boolean
}

export const toasts = openStore<readonly Said[]>([])
let last = 0

/** Shows a message for a moment, at the edge of the page. Returns its ID. */
export const say = (text: string, action?: Said['action'], lasts?: boolean) => add(text, 'plain', action, lasts)
/** Says that something did not work. */
export const sayProblem = (text: string) => add(text, 'bad')

const add = (text: string, tone: Said['tone'], action?: Said['action'], lasts = false) => {
  const rest = toasts.get().filter(said => said.text !== text)
  toasts.set([...rest.slice(-2), { id: ++last, text, tone, lasts, ...(action && { action }) }])
  return last
}

export const dismiss = (id: number) => toasts.set(toasts.get().filter(said => said.id !== id))
