import { openStore } from '../app/store.ts'

export type Said = { id: number; text: string; tone: 'plain' | 'bad'; action?: { label: string; act: () => void } }

export const toasts = openStore<readonly Said[]>([])
let last = 0

/** Shows a message for a moment, at the edge of the page. */
export const say = (text: string, action?: Said['action']) => add(text, 'plain', action)
/** Says that something did not work. */
export const sayProblem = (text: string) => add(text, 'bad')

const add = (text: string, tone: Said['tone'], action?: Said['action']) => {
  const rest = toasts.get().filter(said => said.text !== text)
  toasts.set([...rest.slice(-2), { id: ++last, text, tone, ...(action && { action }) }])
}

export const dismiss = (id: number) => toasts.set(toasts.get().filter(said => said.id !== id))
