/** Why a code is given, and what a client should do: stands where the refusal is declared. */
export type RefusalPage = { cause: string; client: string }

// Advice shared by several refusals.
export const reload = 'Remove the item from the screen and reload the list it came from. Do not retry.'
export const offerNot = 'Do not offer the action: `extra.may` on the resource says in advance whether it is allowed.'
export const signIn = 'Discard the token and ask the user to sign in again. Keep anything they have typed.'
export const showWords = 'Show the message and keep what was typed.'
export const askLater =
  'Keep the request and its Idempotency-Key, wait as long as `Retry-After` says, then send it again unchanged.'
