import { chmodSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { mp4 } from '../../test/films.ts'
import { later } from '../../test/later.ts'
import { needing } from '../../test/needing.ts'
import { newFolder } from '../../test/new-folder.ts'
import { openNodes } from '../../test/nodes.ts'
import { evening } from '../../test/party.ts'
import { jpeg } from '../../test/pictures.ts'
import { ffmpeg } from '../../test/tools.ts'
import { pathOf } from '../platform/process/find-program.ts'

/** The host's ffmpeg, whose probe begins when the file `go` is there. */
const waitingTool = async () => {
  const folder = newFolder('waiting-tool')
  chmodSync(folder, 0o755)
  const go = join(folder, 'go')
  for (const [name, wait] of [
    ['ffmpeg', ''],
    ['ffprobe', `until [ -e ${go} ]; do sleep 0.1; done\n`],
  ] as const)
    writeFileSync(join(folder, name), `#!/bin/sh\n${wait}exec ${await pathOf(name)} "$@"\n`, { mode: 0o755 })
  return { path: join(folder, 'ffmpeg'), probe: `/bin/sh ${join(folder, 'ffprobe')} `, go }
}

const runs = async (words: string) => {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.some(line => line.replaceAll('\0', ' ').startsWith(words))
}

/** A film is uploaded, and the service told to stop while it is inspected; the inspection continues or hangs. */
const stopDuring = async ({ goesOn }: { goesOn: boolean }) => {
  const tool = await waitingTool()
  const { first } = await openNodes({ FFMPEG_PATH: tool.path, PATH: process.env.PATH ?? '' })
  const olivia = await enter(first, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening())
  const form = new FormData()
  form.set('event_id', String(id))
  form.set('image', new Blob([await jpeg({ width: 64, height: 48 })]))
  form.set('video', new Blob([new Uint8Array(await mp4({ seconds: 1 }))]))
  const headers = { authorization: `Bearer ${olivia.token}` }
  const answer = later(fetch(`${first.url}/api/gallery/upload`, { method: 'POST', headers, body: form }))
  await expect.poll(() => runs(tool.probe), { timeout: 100_000 }).toBe(true)
  const stopped = later(first.stop())
  await sleep(500)
  if (goesOn) writeFileSync(tool.go, '')
  return { answer: await answer, stopped: await stopped }
}

needing(ffmpeg).describe('a film in inspection when the service is told to stop', { timeout: 300_000 }, () => {
  test('is accepted', async () => {
    const { answer, stopped } = await stopDuring({ goesOn: true })
    expect([answer.status, stopped]).toEqual([200, [0, null]])
  })

  test('is to be sent again, after a stated delay, if its inspection takes too long', async () => {
    const { answer, stopped } = await stopDuring({ goesOn: false })
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '5',
      { message: 'Service Unavailable' },
    ])
    expect(stopped).toEqual([0, null])
  })
})
