import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { later } from '../../../test/later.ts'
import { needing } from '../../../test/needing.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { bubblewrap } from '../../../test/tools.ts'
import { openConfinement, type Room } from '../sandbox/confinement.ts'
import { run, ToolEnded } from './run.ts'

const shell = (script: string) => ({ file: '/bin/sh', args: ['-c', script], needs: [] as string[] })
// Runs outside namespaces of its own, where a shell would be the first process and ignore its own signals.
const confinement = await openConfinement(shell(':'), { outer: ['bubblewrap', 'none'] })
const home = newFolder('run')

const room: Room = { reads: [], writes: [], cpuSeconds: 60, fileBytesMax: 1_000_000, memoryBytesMax: 1024 ** 3 }
const lines: string[] = []
const inRoom = (
  script: string,
  limits: { limitSeconds?: number; stallSeconds?: number; signal?: AbortSignal } = {},
  of = room,
) => {
  lines.length = 0
  const onLine = (line: string) => {
    lines.push(line)
    return line.startsWith('on ')
  }
  return run(confinement.around(shell(script), of), { limitSeconds: 20, ...limits, onLine })
}
const ending = (running: Promise<void>) =>
  running.then(
    () => 'well',
    error => (error instanceof ToolEnded ? error.how : error),
  )
const processesWith = async (words: string) => {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
  const lines = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter(line => line.includes(words)).length
}

describe('a tool', () => {
  test('a tool that ends well has printed its lines', async () => {
    expect(await ending(inRoom('echo one; echo two'))).toBe('well')
    expect(lines).toEqual(['one', 'two'])
  })

  test('a hanging tool is killed with everything it started', async () => {
    const odd = `31${process.pid}`
    expect(await ending(inRoom(`sleep ${odd} & sleep ${odd}; wait`, { limitSeconds: 1 }))).toBe('too-slow')
    await expect.poll(() => processesWith(odd)).toBe(0)
  })

  test('a tool that leaves a process behind keeps nobody waiting', async () => {
    const odd = `32${process.pid}`
    expect(await ending(inRoom(`sleep ${odd} & echo gone`))).toBe('well')
    await expect.poll(() => processesWith(odd)).toBe(0)
  })

  test('a tool without progress is killed, however much it prints; one with progress is not', {
    tags: 'slow',
  }, async () => {
    const chatter = 'for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo $WORD $n; sleep 0.1; done'
    expect(await ending(inRoom(`WORD=still; ${chatter}`, { stallSeconds: 0.8 }))).toBe('too-slow')
    expect(await ending(inRoom(`WORD=on; ${chatter}`, { stallSeconds: 0.8 }))).toBe('well')
  })

  test('a tool’s ending tells how it failed', async () => {
    expect(await ending(inRoom('echo no >&2; exit 3'))).toBe('failed')
    expect(await ending(inRoom('kill -SEGV $$'))).toBe('crashed')
    expect(await ending(inRoom('kill -KILL $$'))).toBe('lost')
    expect(await ending(inRoom('echo "No space left on device" >&2; exit 1'))).toBe('full')
    expect(await ending(run({ file: '/nowhere', args: [], env: {} }, { limitSeconds: 5, onLine: () => true }))).toBe(
      'lost',
    )
  })

  test('a tool ends when we abort it', async () => {
    const stopping = new AbortController()
    const running = later(ending(inRoom('sleep 60', { signal: stopping.signal })))
    await sleep(100)
    stopping.abort()
    expect(await running).toBe('stopped')
    expect(await ending(inRoom('sleep 60', { signal: stopping.signal }))).toBe('stopped')
  })

  test('a tool that prints without end is stopped', async () => {
    expect(await ending(inRoom('while :; do printf %050000d 0; done'))).toBe('failed')
  })

  test('a tool cannot write more, or run longer, than it may', async () => {
    const target = join(home, 'target')
    await writeFile(target, '')
    const of = { ...room, writes: [target], fileBytesMax: 100_000 }
    const fill = `dd if=/dev/zero of=${target} bs=1000 count=1000 2>/dev/null || kill -XFSZ $$`
    expect(await ending(inRoom(fill, {}, { ...of, reads: ['/dev/zero'] }))).toBe('too-large')
    expect((await readFile(target)).length).toBeLessThanOrEqual(100_000)
    expect(await ending(inRoom('while :; do :; done', {}, { ...room, cpuSeconds: 1 }))).not.toBe('well')
  })

  test('a tool gets nothing of our environment, and the lowest priority', async () => {
    process.env.PLANTED_SECRET = 'planted'
    await inRoom('export -p; nice')
    delete process.env.PLANTED_SECRET
    expect(lines.join('\n')).not.toMatch(/planted|DATABASE|HOME=\/root/)
    expect(lines.at(-1)).toBe('19')
  })

  needing(bubblewrap).test('a tool sees its file and no other, no process and no network', async () => {
    const [mine, other] = [join(home, 'mine'), join(home, 'other')]
    await Promise.all([writeFile(mine, 'mine'), writeFile(other, 'other')])
    const of = { ...room, reads: [mine] }
    await inRoom(
      `cat ${mine}; echo; cat ${other} /etc/passwd /proc/1/environ 2>&1; echo x 2>&1 > /new; ls / | tr '\\n' ' '`,
      {},
      of,
    )
    const said = lines.join('\n')
    expect(lines[0]).toBe('mine')
    expect(said).not.toMatch(/^other$|root:/m)
    expect(said).toMatch(/Read-only file system/)
    expect(lines.at(-1)).not.toMatch(/proc|sys|home|root|var/)
    await expect(inRoom(`echo more > ${mine}`, {}, of)).rejects.toThrow()
    expect(await readFile(mine, 'utf8')).toBe('mine')
  })
})
