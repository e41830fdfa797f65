/** The service refused, or could not be understood. */
export class AfterglowError extends Error {
  override name = 'AfterglowError'
  /** HTTP status. */
  readonly status: number
  /** The parsed JSON body, or the text of a plain one. */
  readonly body: unknown
  /** Seconds until a spent rate limit opens again; with status 429. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: unknown, retryAfterSeconds?: number) {
    super(sentenceOf(status, body))
    this.status = status
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Field name → sentences of a validation error; empty for every other refusal. */
  get fields(): Record<string, string[]> {
    const entries = Object.entries(Object(this.body)).filter(([, value]) => Array.isArray(value))
    return this.status === 400 ? (Object.fromEntries(entries) as Record<string, string[]>) : {}
  }
}

const sentenceOf = (status: number, body: unknown): string => {
  if (typeof body === 'string' && body) return body
  const { error_message, error, message } = Object(body)
  const field = Object.values(Object(body)).find(Array.isArray)?.[0]
  return error_message ?? error ?? message ?? field ?? `HTTP ${status}`
}
