/** What the service answered in its tests, kept by `npm run examples`: of each operation its successes by status, its refusals by code. */
import recorded from './examples.json' with { type: 'json' }

type Recorded = { replies: Record<string, unknown>; refusals: Record<string, { status: number; body: unknown }> }

export const examples = recorded as unknown as Record<string, Recorded | undefined>
