import { fileURLToPath } from 'node:url'

/** Context of an error; all of it our own words. */
export type About = {
  /** The text of its log line. */
  said?: string | undefined
  level: 'error' | 'fatal'
  requestId?: string | undefined
  operation?: string | undefined
  task?: string | undefined
}

export type ErrorReports = {
  report(fault: unknown, about: About): void
  /** Sends what is waiting, for at most two seconds. */
  close(): Promise<void>
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const withinMs = 2000

/**
 * Opens reporting to a Sentry-compatible server. A report says what kind of error it was and where: the error's message
 * stays in the log, under the request's ID, because it may quote what a person wrote, or a token. Nothing is watched,
 * traced or collected.
 */
export const openErrorReports = async (dsn: string): Promise<ErrorReports> => {
  // Only loaded if switched on: it takes as much memory as the rest of an idle service.
  const { createStackParser, createTransport, nodeStackLineParser, Scope, ServerRuntimeClient } = await import(
    '@sentry/core'
  )
  const stackParser = createStackParser(nodeStackLineParser())
  const client = new ServerRuntimeClient({
    dsn,
    platform: 'node',
    integrations: [],
    transport: options =>
      createTransport(options, async ({ body }) => {
        const { status, headers } = await fetch(options.url, { method: 'POST', body: body as BodyInit })
        return {
          statusCode: status,
          headers: {
            'x-sentry-rate-limits': headers.get('x-sentry-rate-limits'),
            'retry-after': headers.get('retry-after'),
          },
        }
      }),
    stackParser,
    sendClientReports: false,
    sendDefaultPii: false,
  })
  client.init()
  return {
    report(fault, { said, level, requestId, operation, task }) {
      const { type, code, stack } = nameless(fault)
      const frames = stackParser(stack).map(frame => ({ ...frame, filename: inProject(frame.filename) }))
      const tags = { request_id: requestId, operation, task, code }
      const exception = { values: [{ type, value: said ?? '', stacktrace: { frames } }] }
      // A separate scope: the library's would add what it observed meanwhile.
      client.captureEvent({ level, exception, tags }, {}, new Scope())
    },
    async close() {
      await client.close(withinMs)
    },
  }
}

const word = /^[\w$.:-]{1,80}$/

/** An error without its message, which begins the stack and may contain lines that look like frames. */
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
