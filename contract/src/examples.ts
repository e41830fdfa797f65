/**
 * Requests and replies that `npm run examples` records from the tests. Each operation has one request, its successes by
 * status, one of which answers that request, and its refusals by code.
 */
import recorded from './examples.json' with { type: 'json' }

/** With the path as it was sent. Of a form, files are their names. */
export type RecordedRequest = { path: string; body?: Record<string, unknown> }
type Recorded = {
  request?: RecordedRequest
  replies: Record<string, unknown>
  refusals: Record<string, { status: number; body: unknown }>
}

export const examples = recorded as unknown as Record<string, Recorded | undefined>
