import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { timeOfLine } from '../log.ts'
import { answeredLines } from './answered-lines.ts'

const logTo = (lines: string[], level: string) =>
  pino({ level, base: null, timestamp: timeOfLine }, { write: line => void lines.push(line) })
const withoutTime = (line: string | undefined) => line?.replace(/"time":"[\d-]+T[\d:.]+Z"/, '"time"')

test.each([
  { request: randomUUID(), operation: 'ping', status: 200, ms: 3, user: 7 },
  { request: randomUUID(), operation: undefined, status: 404, ms: 0, user: undefined },
  { request: randomUUID(), operation: 'sendMessage', status: 401, ms: 12, user: undefined },
])('the line of %o is what the log itself would have written', answered => {
  const lines: string[] = []
  const log = logTo(lines, 'info')
  answeredLines(log)(answered)
  log.info(answered, 'answered')
  expect(withoutTime(lines[0])).toBe(withoutTime(lines[1]))
  expect(JSON.parse(lines[0] as string)).toEqual({ ...JSON.parse(lines[1] as string), time: expect.any(String) })
})

test('a log that is not told what is usual gets no line', () => {
  const lines: string[] = []
  answeredLines(logTo(lines, 'warn'))({ request: 'id', operation: 'ping', status: 200, ms: 3, user: 7 })
  expect(lines).toEqual([])
})
