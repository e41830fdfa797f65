import type { Say } from './refusals.ts'

/* The service's refusals are in English; here they are translated. */

let say: Say = ({ text }) => text

/** After this time, a refusal is shown in the service's own words, however slow the texts are. */
const waitsMs = 2000

/**
 * Loads the texts, with the first refusal. The refusal waits for them, so that no sentence changes while it is read.
 */
export const explained = (): Promise<unknown> =>
  Promise.race([
    import('./refusals.ts').then(async ({ openRefusals }) => {
      say = await openRefusals()
    }),
    new Promise(resolve => setTimeout(resolve, waitsMs)),
  ]).catch(() => {})

/** A message of the service, about a field or as a whole. */
export const inWords: Say = said => say(said)
