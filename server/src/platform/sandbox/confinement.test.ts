import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { spawnConfined } from './confined-process.ts'
import { type Command, openConfinement, type Room } from './confinement.ts'

const shell = (script: string): Command => ({ file: '/bin/sh', args: ['-c', script], needs: ['/bin/sh'] })
const room: Room = { reads: [], writes: [], cpuSeconds: 5, fileBytesMax: 0, memoryBytesMax: 1e8 }
/** Linux groups processes by session, and weighs groups before processes: this is our group's weight. */
const ours = '/proc/self/autogroup'
// The sandbox hides its group from the program; from outside it is visible.
const groupOf = (pid: number | undefined) => readFileSync(`/proc/${pid}/autogroup`, 'utf8')

describe.skipIf(!existsSync(ours))('under autogrouping', () => {
  test('neither the trial nor a program costs us our share of the CPU, and each has a low one of its own', async () => {
    const before = readFileSync(ours, 'utf8')
    const confinement = await openConfinement(shell('exit 0'), { niceness: 7 })
    const running = [1, 2, 3].map(() => spawnConfined(confinement.around(shell('echo; read -r end'), room)))
    await Promise.all(running.map(({ stdout }) => new Promise(resolve => stdout.once('data', resolve))))
    for (const { pid } of running) expect(groupOf(pid)).toMatch(/ nice 7$/m)
    expect(readFileSync(ours, 'utf8')).toBe(before)
    for (const { stdin } of running) stdin.end()
    await Promise.all(running.map(({ stderr }) => text(stderr)))
  })
})

test.each([
  ['exit 3', 'it ended with 3'],
  ['echo no room >&2; exit 1', 'no room'],
])('`%s` fails to run with a one-line reason', async (script, why) => {
  const { why: said, walls } = await openConfinement(shell(script), { outer: ['none'] })
  expect(said).toContain(why)
  expect(walls).toEqual([])
})
