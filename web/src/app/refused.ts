import type { Say } from './refusals.ts'

/* What the service refuses with is English; here it is said in the language that is spoken. */

let say: Say = text => text

/** However slow the words are: then a refusal is shown as the service said it. */
const waitsMs = 2000

/** Loads the words, with the first refusal. Who is refused waits for them, so that no sentence changes while it is read. */
export const explained = (): Promise<unknown> =>
  Promise.race([
    import('./refusals.ts').then(async ({ openRefusals }) => {
      say = await openRefusals()
    }),
    new Promise(resolve => setTimeout(resolve, waitsMs)),
  ]).catch(() => {})

/** A sentence of the service, about a field or as a whole. */
export const inWords: Say = (text, field) => say(text, field)
