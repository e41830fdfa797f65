import { chmod, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { Loot, Plan, Prey } from '../../../../../test/hostile-decoder.ts'
import { type StorageAtHand, storageAtHand } from '../../../../../test/media.ts'
import { newFolder } from '../../../../../test/new-folder.ts'
import { jpeg } from '../../../../../test/pictures.ts'
import type { Confinement, OuterWall } from '../../../sandbox/confinement.ts'
import { run } from '../../../video/run.ts'
import type { PictureTask } from '../picture-task.ts'
import { type Starting, startDecoder } from './decoder.ts'
import { decoderCommand, decoderRoom, decoderWalls, openDecoderWalls } from './decoder-walls.ts'
import { openDecoders } from './decoders.ts'

const program = fileURLToPath(new URL('../../../../../test/hostile-decoder.ts', import.meta.url))
const isRoot = process.getuid?.() === 0
process.env.PLANTED_SECRET = 'planted'

const at: StorageAtHand = await storageAtHand()
const folder = newFolder('walls')
// Everybody may write here: only the sandbox is in the way.
await chmod(folder, 0o777)
const secrets = join(folder, 'secrets.json')
await writeFile(secrets, '{"planted":1}', { mode: 0o600 })
const listening = createServer(socket => socket.destroy())
await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
const { port } = listening.address() as { port: number }
const targets = ['written', 'x'].map(name => join(folder, name))
const prey: Prey = { secrets, server: process.pid, port, writable: [...targets, '/tmp/afterglow-planted', '/planted'] }

afterAll(async () => {
  delete process.env.PLANTED_SECRET
  listening.close()
  await Promise.all([
    at.end(),
    rm(folder, { recursive: true, force: true }),
    rm('/tmp/afterglow-planted', { force: true }),
  ])
})

const task: PictureTask = {
  act: 'picture',
  wanted: { pixelsMax: 1e8, shape: 'photo', animated: true },
  costMax: null,
}
const starting: Starting = { limitSeconds: 30, storage: at.storage, log: { warn() {} } }
const hostile = (walls: Confinement, limits: Partial<Starting> = {}) =>
  startDecoder(walls, { ...starting, program, ...limits })
const outerWalls: OuterWall[] = ['bubblewrap', 'namespaces', 'none']
const opened = await Promise.all(
  outerWalls.map(async outer => ({ outer, walls: await openDecoderWalls({ outer: [outer] }) })),
)
const standing = opened.filter(({ outer, walls }) => outer === 'none' || walls.sandboxed)

describe.each(standing)('behind $outer', ({ outer, walls }) => {
  test('pictures are decoded', async () => {
    const decoder = startDecoder(walls, starting)
    const answered = await decoder.perform(task, await at.uploaded(await jpeg({ width: 800, height: 600 })))
    expect(answered).toMatchObject({ answer: { made: { width: 800, preview: { width: 640 } } } })
    expect(answered.files).toHaveLength(3)
    for (const file of answered.files) await file.remove()
    await decoder.end()
  })

  test.runIf(isRoot)('a decoder gives up root', () => expect(walls.walls).toContain('another user (65533)'))

  test('a compromised decoder finds nothing, reaches nobody and writes nowhere', async () => {
    const decoder = hostile(walls)
    const { answer } = await decoder.perform(task, await at.uploaded(Buffer.from(JSON.stringify(prey))))
    await decoder.end()
    const loot: Loot = JSON.parse((answer as { detail: string }).detail)
    expect(loot).toMatchObject({ own: [], processes: 0, written: [] })
    for (const found of [loot.secrets, loot.environment, loot.memory, loot.program]) expect(found).toMatch(/^no/)
    if (walls.sandboxed) expect(loot.network).toMatch(/^no/)
  })

  test.runIf(outer !== 'none' || isRoot)(
    'compromised machine code, which ignores the permission model, gets no further',
    async () => {
      const { args, ...rest } = decoderCommand(['loot', JSON.stringify(prey)], program)
      const command = { ...rest, args: args.filter(arg => !/^--(permission|allow-)/.test(arg)) }
      let printed = ''
      await run(walls.around(command, decoderRoom), {
        limitSeconds: 60,
        onLine(line) {
          printed += line
          return false
        },
      })
      const loot: Loot = JSON.parse(printed)
      expect(loot).toMatchObject({ own: [], written: [] })
      expect(loot.environment).toMatch(/^no/)
      expect(loot.memory).toMatch(/^no/)
      if (walls.sandboxed) {
        expect(loot.network).toMatch(/^no/)
        expect(loot.processes).toBeLessThan(4)
      }
      if (outer === 'bubblewrap' || isRoot) expect(loot.secrets).toMatch(/^no/)
    },
  )
})

describe('a decoder that lies', () => {
  test.each([
    ['flood', 'crashed', /a head of \d+ bytes/],
    ['promise without end', 'crashed', /an answer that is none/],
    ['complain without end', 'crashed', /ended within/],
    ['answer with a page', 'crashed', /no image.jpeg/],
    ['answer nonsense', 'crashed', /an answer that is none/],
    ['answer another', 'lost', /another task/],
    // A machine too busy to run it never learns that it hangs.
    ['hang', /too-slow|lost/, /ended within/],
  ] satisfies [Plan, string | RegExp, RegExp][])(
    'a lying decoder is ended and not believed: %s',
    async (plan, how, why) => {
      const decoder = hostile(await decoderWalls(), { limitSeconds: plan === 'hang' ? 1 : 60 })
      const performed = decoder.perform(task, await at.uploaded(Buffer.from(plan)))
      await expect(performed).rejects.toMatchObject({
        name: 'DecoderEnded',
        how: expect.stringMatching(how),
        message: expect.stringMatching(why),
      })
      expect(decoder.ended()).toBe(true)
      expect(await at.temporaries()).toEqual([])
    },
  )

  test('a decoder that has spoken unasked gets no further task', async () => {
    const decoders = openDecoders({ ...starting, program, concurrency: 1, idleSeconds: 60 })
    const turn = { who: 'somebody' }
    const ask = async (text: string) => decoders.perform(task, await at.uploaded(Buffer.from(text)), turn)
    expect(await ask('speak unasked')).toMatchObject({ answer: { detail: 'asked' } })
    // Its unsolicited answer is in transit, or has arrived.
    for (let round = 0; round < 3; round++) {
      const { answer } = await ask(JSON.stringify(prey))
      expect((answer as { detail: string }).detail).toContain('secrets')
    }
    await decoders.close()
  })
})
