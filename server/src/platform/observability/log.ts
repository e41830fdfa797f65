import { type DestinationStream, type Logger, pino } from 'pino'
import type { About } from './error-reports.ts'
import { requestNow } from './request-context.ts'

/**
 * The loggable properties of an error. A database's message can quote what a person wrote, so only its code is kept.
 */
type Fault = Error & { code?: string; severity?: string; table?: string; constraint?: string }
const describeFault = (fault: Fault, depth = 0): Record<string, unknown> => {
  const { name, message, stack, code, severity, table, constraint, cause } = fault
  if (severity) return { name, code, table, constraint, stack: stack?.slice(stack.indexOf('\n') + 1) }
  const below = cause instanceof Error && depth < causesMax ? { cause: describeFault(cause, depth + 1) } : {}
  return { name, message, code, stack, ...below }
}
const causesMax = 4

/**
 * At most this many bytes per write: larger ones would be interleaved with lines of other processes on the same pipe.
 */
const atOnceMax = 4096
const gathered = { dest: 1, sync: false, minLength: 3072, maxWrite: atOnceMax, periodicFlush: 200 }
const warning = 40
const fault = 50
const fatal = 60

/** Everything logged as an error is reported, wherever it happened. */
const tellOf = (
  [fields, said]: unknown[],
  level: number,
  report: ((fault: unknown, about: About) => void) | undefined,
) => {
  const { err, request, operation, task } = (fields ?? {}) as Record<'request' | 'operation' | 'task', string> & {
    err?: unknown
  }
  if (err === undefined) return
  const words = typeof said === 'string' ? said : undefined
  const requestId = request ?? requestNow()
  report?.(err, { said: words, level: level >= fatal ? 'fatal' : 'error', requestId, operation, task })
}

/** One write per line would take a sixth of a ping's cost. Warnings and errors are written at once. */
const openPipe = () => pino.destination(gathered)

/** The lines as sentences, for a terminal. The library is only loaded for that. */
const openTerminal = async (): Promise<DestinationStream> => {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'v' })
}

/**
 * The service's log: JSON lines of allow-listed fields. No bodies, tokens, e-mail addresses or signed queries get into
 * it.
 */
export const openLog = async (level: string, report?: (fault: unknown, about: About) => void): Promise<Logger> => {
  const piped = process.stdout.isTTY ? undefined : openPipe()
  return pino(
    {
      level,
      base: null,
      mixin: () => {
        const request = requestNow()
        return request === undefined ? {} : { request }
      },
      serializers: { err: (fault: Fault) => describeFault(fault) },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args)
          if (level >= fault) tellOf(args, level, report)
          if (level >= warning) piped?.flush()
        },
      },
    },
    piped ?? (await openTerminal()),
  )
}
