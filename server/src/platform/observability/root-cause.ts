type Fault = {
  message?: unknown
  code?: unknown
  originalCode?: unknown
  name?: unknown
  cause?: unknown
  errors?: unknown
}

const deepest = (fault: Fault): Fault => {
  let at = fault
  for (let depth = 0; depth < 8; depth++) {
    const below = at.cause ?? (Array.isArray(at.errors) ? at.errors[0] : undefined)
    if (typeof below !== 'object' || below === null) return at
    at = below
  }
  return at
}

const certificateCode = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|ISSUER/

/**
 * The underlying reason of a failed connection, in one line: libraries wrap it in messages such as "fetch failed". Only
 * for connections: what a server said once it was reached may quote people or passwords.
 */
export const rootCause = (fault: unknown): string => {
  const { message, code, originalCode, name } = deepest((fault ?? {}) as Fault)
  const known = String(originalCode ?? code ?? '')
  // Node's advice for programmers follows the semicolon.
  const [words = ''] = String(message || known || name || 'no reason given').split(/[\n;]/)
  return certificateCode.test(known) ? `its certificate is not accepted (${words.trim()})` : words.trim()
}
