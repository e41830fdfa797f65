import { expect, test } from 'vitest'
import { openWaitingConnections } from './anonymous-connections.ts'

test('a network has so many connections waiting and no more, others are not held up, and nothing is kept of who went', () => {
  const waiting = openWaitingConnections(3)
  for (let times = 0; times < 3; times++) waiting.begin('192.0.2.1')
  expect(waiting.mayWait('192.0.2.1')).toBe(false)
  expect(waiting.mayWait('192.0.2.2')).toBe(true)
  waiting.end('192.0.2.1')
  expect(waiting.mayWait('192.0.2.1')).toBe(true)
  for (let times = 0; times < 2; times++) waiting.end('192.0.2.1')
  expect(waiting.networks()).toBe(0)
})
