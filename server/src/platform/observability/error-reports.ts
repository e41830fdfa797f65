import { fileURLToPath } from 'node:url'

/** What is known of a fault besides itself; all of it words of ours. */
export type About = {
  /** What the log says of it. */
  said?: string | undefined
  level: 'error' | 'fatal'
  requestId?: string | undefined
  operation?: string | undefined
  task?: string | undefined
}

export type ErrorReports = {
  report(fault: unknown, about: About): void
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const withinMs = 2000

/**
 * Opens reports to a Sentry-compatible server. A report says what kind of fault it was and where: its own words stay in the
 * log, under the request's id, as they may quote what a person wrote, or a token. Nothing is watched, traced or gathered.
 */
export const openErrorReports = async (dsn: string): Promise<ErrorReports> => {
  // Loaded where it is switched on only: it weighs as much as the rest of an idle service.
  const { defaultStackParser, makeNodeTransport, NodeClient, Scope } = await import('@sentry/node')
  const client = new NodeClient({
    dsn,
    integrations: [],
    transport: makeNodeTransport,
    stackParser: defaultStackParser,
    sendClientReports: false,
    sendDefaultPii: false,
  })
  client.init()
  return {
    report(fault, { said, level, requestId, operation, task }) {
      const { type, code, stack } = nameless(fault)
      const frames = defaultStackParser(stack).map(frame => ({ ...frame, filename: inProject(frame.filename) }))
      const tags = { request_id: requestId, operation, task, code }
      const exception = { values: [{ type, value: said ?? '', stacktrace: { frames } }] }
      // A scope of its own: the library's would add what it noticed meanwhile.
      client.captureEvent({ level, exception, tags }, {}, new Scope())
    },
    async close() {
      await client.close(withinMs)
    },
  }
}

const word = /^[\w$.:-]{1,80}$/

/** A fault without its message, which heads the stack and may have lines that look like frames. */
const nameless = (fault: unknown): { type: string; code: string | undefined; stack: string } => {
  if (!(fault instanceof Error)) return { type: 'Thrown', code: undefined, stack: '' }
  const { name, message, stack = '', code } = fault as NodeJS.ErrnoException
  const from = message === '' ? 0 : stack.indexOf(message) + message.length
  // A stack whose message was changed later cannot be told apart from it.
  const frames = message !== '' && !stack.includes(message) ? '' : stack.slice(from)
  return {
    type: word.test(name) ? name : 'Error',
    code: typeof code === 'string' && word.test(code) ? code : undefined,
    stack: `Error\n${frames
      .split('\n')
      .filter(line => /^\s+at /.test(line))
      .join('\n')}`,
  }
}

const inProject = (file: string | undefined) => file?.replace('file://', '').replace(root, 'app:///')
