import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { readyClient } from './client.ts'

test('the upload command from the service has no dependencies', { timeout: 120_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const olivia = await enter(app, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening())
  const { link_url } = await olivia.api.links.makeLink({ event_id: id })
  const folder = newFolder('command')
  const reply = await fetch(`${app.url}/afterglow.mjs`)
  expect(reply.headers.get('content-type')).toContain('text/javascript')
  await writeFile(join(folder, 'afterglow.mjs'), await reply.text())
  await writeFile(join(folder, 'boat.jpg'), await jpeg({ width: 96, height: 64, seed: 3 }))
  const link = new URL(link_url)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['afterglow.mjs', 'upload', '.', '--link', app.url + link.pathname, '--name', 'Petra Photo'],
    { cwd: folder, env: { PATH: process.env.PATH, XDG_STATE_HOME: join(folder, 'state') } },
  )
  expect(stdout).toContain('1 safe, 0 were there before, 0 refused')
})
