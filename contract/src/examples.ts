/**
 * What the tests sent and got, recorded by `npm run examples`: for each operation a request, successes by status, of
 * which one answers the request, and refusals by code.
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
