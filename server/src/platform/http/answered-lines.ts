import type { FastifyBaseLogger } from 'fastify'
import { type Logger, symbols } from 'pino'
import { timeOfLine } from '../log.ts'

export type Answered = {
  request: string
  operation: string | undefined
  status: number
  ms: number
  user: number | undefined
}

/**
 * Writes the line that every request leaves, where and as the log would: 0.3 µs where its way takes 3. Nothing in it can
 * need escaping: an id that we made, a name of the contract, numbers.
 */
export const answeredLines = (log: FastifyBaseLogger): ((answered: Answered) => void) => {
  const { [symbols.streamSym]: lines, levels } = log as unknown as Logger & Streaming
  const { info } = levels.values
  return ({ request, operation, status, ms, user }) => {
    if (!(log as Logger).isLevelEnabled('info')) return
    const who = user === undefined ? '' : `,"user":${user}`
    const what = operation === undefined ? '' : `,"operation":"${operation}"`
    lines.write(
      `{"level":${info}${timeOfLine()},"request":"${request}"${what},"status":${status},"ms":${ms}${who},"msg":"answered"}\n`,
    )
  }
}

type Streaming = { [symbols.streamSym]: { write(line: string): void } }
