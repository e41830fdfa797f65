import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { freePort } from '../../../test/free-port.ts'
import { later } from '../../../test/later.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { openNodes } from '../../../test/nodes.ts'
import { evening } from '../../../test/party.ts'

/* Follows docs/operators.md: two real builds, the second by the command. */

const root = join(import.meta.dirname, '../../../..')

/** The current sources as that version, below a folder as `git archive` makes it. */
function archiveOf(version: string, home: string): string {
  const tree = join(home, 'sources')
  mkdirSync(tree)
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  execFileSync('tar', ['--null', '--files-from=-', '--ignore-failed-read', '-cf', join(home, 'files.tar')], {
    cwd: root,
    input: files,
  })
  execFileSync('tar', ['-xf', join(home, 'files.tar'), '-C', tree])
  const manifest = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...manifest, version }))
  const archive = join(home, `afterglow-${version}.tar.gz`)
  execFileSync('tar', ['-czf', archive, '-C', home, 'sources'])
  rmSync(tree, { recursive: true })
  return archive
}

test('an upgrade under load, killed while it installs and while it backs up, loses no request', {
  timeout: 1_800_000,
}, async () => {
  const home = realpathSync(newFolder('upgrade'))
  const before = join(home, 'releases/0.1.0')
  mkdirSync(before, { recursive: true })
  execFileSync('tar', ['-xzf', archiveOf('0.1.0', home), '--strip-components=1', '-C', before])
  symlinkSync('releases/0.1.0', join(home, 'current'))
  execFileSync(process.execPath, ['bin/run.js', 'bin/build.ts', '--production'], { cwd: before, stdio: 'inherit' })

  const port = String(await freePort())
  const settings = { PROCESSES: '2', PORT: port, AFTERGLOW_ENV: '' }
  const { first } = await openNodes(settings, { program: join(home, 'current/server/src/main.ts') })
  const olivia = await enter(first as unknown as Parameters<typeof enter>[0], 'olivia')
  const { group_chat_id } = await olivia.api.events.saveEvent(evening())
  let talks = true
  const said: string[] = []
  const failed: unknown[] = []
  const talking = later(
    (async () => {
      for (let nth = 0; talks; nth++, await sleep(50))
        await olivia.api.chats.saveMessage({ group_chat_id, message_content: `${nth}` }).then(
          ({ message_content }) => said.push(message_content),
          fault => failed.push(fault),
        )
    })(),
  )

  const archive = archiveOf('0.1.1', home)
  const upgrade = async (killedAt?: RegExp) => {
    const child = spawn(
      process.execPath,
      ['bin/run.js', 'server/src/command/main.ts', 'upgrade', archive, '--backup', join(home, 'backups')],
      {
        cwd: join(home, 'current'),
        env: { ...process.env, ...settings, DATA_DIR: first.dataDir },
        stdio: ['ignore', 'inherit', 'pipe'],
        detached: true,
      },
    )
    let complaints = ''
    child.stderr.on('data', chunk => {
      complaints += chunk
      if (killedAt?.test(complaints)) process.kill(-(child.pid as number), 'SIGKILL')
    })
    const [code, signal] = await once(child, 'exit')
    return { code, signal, complaints }
  }
  const served = async () => (await (await fetch(`${first.url}/healthz`)).json()).version
  for (const point of [/\d\d+ of \d+ packages/, /Backing up/]) {
    expect(await upgrade(point)).toMatchObject({ signal: 'SIGKILL' })
    expect([realpathSync(join(home, 'current')), await served()]).toEqual([before, '0.1.0'])
  }
  const whole = await upgrade()
  expect(whole, whole.complaints).toMatchObject({ code: 0 })
  expect(await served()).toBe('0.1.1')
  talks = false
  await talking

  expect(failed).toEqual([])
  const kept: string[] = []
  for (let page = 1; ; page++) {
    const list = await olivia.api.chats.listMessages({ group_chat_id, page, page_length: 100 })
    kept.push(...list.data.map(({ message_content }) => message_content))
    if (list.next_page_url === null) break
  }
  expect(kept.reverse()).toEqual(said)
})
