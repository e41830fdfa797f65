import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { later } from '../../test/later.ts'
import { newFolder } from '../../test/new-folder.ts'

const root = join(import.meta.dirname, '../../..')

/** As a terminal starts it: npm, a shell, the launcher and the sandbox in one group, to which Ctrl-C goes. */
function openTerminal() {
  const temporary = newFolder('terminal')
  const npm = spawn('npm', ['run', '--silent', 'sandbox'], {
    cwd: root,
    detached: true,
    env: { ...process.env, PORT: '0', TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pidFile = () => {
    const [home] = readdirSync(temporary).filter(name => name.startsWith('afterglow-sandbox-'))
    return home ? join(temporary, home, 'postgres/cluster/postmaster.pid') : ''
  }
  return {
    npm,
    gone: later(once(npm, 'exit')),
    temporary,
    pidFile,
    ctrlC: () => process.kill(-(npm.pid as number), 'SIGINT'),
  }
}

const sandboxesIn = (temporary: string) => readdirSync(temporary).filter(name => name.startsWith('afterglow-sandbox-'))

test.each(['once it serves', 'while it is being opened'])(
  'Ctrl-C ends the whole sandbox %s, including its database',
  { timeout: 120_000 },
  async when => {
    const { npm, gone, temporary, pidFile, ctrlC } = openTerminal()
    if (when === 'once it serves') await once(npm.stdout, 'data')
    else {
      npm.stdout.resume()
      await expect.poll(() => existsSync(pidFile())).toBe(true)
    }
    const postmaster = Number.parseInt(readFileSync(pidFile(), 'utf8'), 10)
    ctrlC()
    await gone
    for (let waited = 0; existsSync(`/proc/${postmaster}`) && waited < 15_000; waited += 50) await sleep(50)
    expect(existsSync(`/proc/${postmaster}`)).toBe(false)
    await expect.poll(() => sandboxesIn(temporary)).toEqual([])
  },
)
