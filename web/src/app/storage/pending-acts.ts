import type { Unsent } from '@afterglow/sdk/outbox'
import { openStore } from '../store.ts'

/*
 * A user's acts, from a tap or a few words until the service has them: they survive reloads, are shown with their
 * subject, and `acts.ts` sends each once.
 */

/** The kinds of acts, each with its input, declared by the slice that performs it. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices extend it.
export interface Acts {}
export type Kind = keyof Acts

type OfKind<Each extends Kind> = Unsent & {
  userId: number
  kind: Each
  /** The subject of the act. */
  about: string
  told: Acts[Each]
  /** Until then the act can be undone, and is not sent. */
  undoUntil?: number
}
export type Act<Some extends Kind = Kind> = { [Each in Some]: OfKind<Each> }[Some]

export const acts = openStore<readonly Act[]>([])

export type Performer<Each extends Kind> = {
  /** Sends it and shows the result; `key` makes it happen once. */
  perform(told: Acts[Each], key: string): Promise<unknown>
  /** Shows its expected result on all loaded data. Showing it twice changes nothing. */
  show?(told: Acts[Each]): void
  /** Undoes the expected result after a final refusal. Acts without it wait for their author. */
  undo?(told: Acts[Each], refusal: unknown): void
}
/** Every kind with the code that performs it, on any page. */
export type Performers = { readonly [Each in Kind]: () => Promise<Performer<Each>> }

export let performBy: (performers: Performers) => void
export const performers = new Promise<Performers>(resolve => {
  performBy = resolve
})
