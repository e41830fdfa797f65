/** Replies recorded in the tests by `npm run examples`: for each operation, successes by status and refusals by code. */
import recorded from './examples.json' with { type: 'json' }

type Recorded = { replies: Record<string, unknown>; refusals: Record<string, { status: number; body: unknown }> }

export const examples = recorded as unknown as Record<string, Recorded | undefined>
