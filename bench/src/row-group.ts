import type { Duel } from './figures.ts'
import type { Stage } from './stage.ts'

/** Rows that are set up together: the ids they may have, for --only, and how to open them, one duel at a time. */
export type RowGroup = {
  ids: readonly string[]
  /** Takes so long that it is measured by its name alone. */
  onlyWhenNamed?: true
  duels(stage: Stage): AsyncIterable<Duel>
}
