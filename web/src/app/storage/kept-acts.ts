import type { Unsent } from '@afterglow/sdk/outbox'
import { openStore } from '../store.ts'

/*
 * What somebody does with a tap or a few words, until the service has it: kept over reloads, shown with what it belongs
 * to, sent once by `acts.ts`.
 */

/** The kinds and what is told of each, declared by the slice that performs it. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where the acts are.
export interface Acts {}
export type Kind = keyof Acts

type OfKind<Each extends Kind> = Unsent & {
  userId: number
  kind: Each
  /** What it is about. */
  about: string
  told: Acts[Each]
  /** Until then it can be taken back, and is not sent. */
  undoUntil?: number
}
export type Act<Some extends Kind = Kind> = { [Each in Some]: OfKind<Each> }[Some]

/** Those on their way. */
export const acts = openStore<readonly Act[]>([])

export type Performer<Each extends Kind> = {
  /** Sends it and shows what came of it; `key` makes it happen once. */
  perform(told: Acts[Each], key: string): Promise<unknown>
  /** Shows it on whatever is loaded, as it will be. To show it twice changes nothing. */
  show?(told: Acts[Each]): void
  /** It was refused for good: what was shown ahead is taken back. Those that have none wait for their author. */
  undo?(told: Acts[Each], refusal: unknown): void
}
/** Every kind and the code that performs it, wherever somebody is by then. */
export type Performers = { readonly [Each in Kind]: () => Promise<Performer<Each>> }

export let performBy: (performers: Performers) => void
export const performers = new Promise<Performers>(resolve => {
  performBy = resolve
})
