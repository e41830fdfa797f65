import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { later } from '../server/test/later.ts'

/** A project with one local package, which npm installs offline. */
let project = ''
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'afterglow-run-'))
  mkdirSync(join(project, 'bin'))
  copyFileSync(new URL('run.js', import.meta.url), join(project, 'bin', 'run.js'))
  mkdirSync(join(project, 'part'))
  writeFileSync(join(project, 'part', 'package.json'), '{"name":"part","version":"1.0.0"}')
  writeFileSync(
    join(project, 'package.json'),
    '{"name":"small","type":"module","workspaces":["part"],"scripts":{"start":"node bin/run.js greet.ts"}}',
  )
  writeLockfile('first')
  writeFileSync(
    join(project, 'greet.ts'),
    `const [code]: string[] = process.argv.slice(2)
    process.on('SIGTERM', () => process.exit(7))
    process.on('disconnect', () => { console.log('alone'); process.exit(0) })
    console.log('hello')
    if (code !== undefined) process.exit(Number(code))
    setInterval(() => {}, 1000)`,
  )
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

function writeLockfile(remark: string) {
  const packages = {
    '': { name: 'small', workspaces: ['part'] },
    'node_modules/part': { resolved: 'part', link: true },
    part: { version: '1.0.0' },
  }
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages, remark }))
}

const launchFile = (file: string, ...args: string[]) =>
  spawn(process.execPath, [join(project, 'bin', 'run.js'), file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
const launch = (...args: string[]) => launchFile('greet.ts', ...args)

async function outcome(launcher: ReturnType<typeof launch>) {
  const said = later(Promise.all([text(launcher.stdout), text(launcher.stderr)]))
  const [code] = await once(launcher, 'close')
  const [out, complaints] = await said
  return { code, out, installed: complaints.includes('Installing the packages') }
}

test('one of two simultaneous first starts installs, both run, and the exit code is passed on', async () => {
  const [one, other] = await Promise.all([outcome(launch('3')), outcome(launch('4'))])
  expect([one.out, other.out]).toEqual(['hello\n', 'hello\n'])
  expect([one.code, other.code]).toEqual([3, 4])
  expect([one.installed, other.installed].filter(Boolean)).toHaveLength(1)
})

test('a service-only install starts as it is, and any command that needs a tool reinstalls everything', async () => {
  mkdirSync(join(project, 'server'))
  copyFileSync(join(project, 'greet.ts'), join(project, 'server', 'greet.ts'))
  await outcome(launch('0'))
  const stamp = join(project, 'node_modules', '.afterglow-installed')
  writeFileSync(stamp, `${readFileSync(stamp, 'utf8')} production`)
  const served = await outcome(launchFile('server/greet.ts', '5'))
  expect(served).toMatchObject({ code: 5, installed: false })
  expect(await outcome(launch('6'))).toMatchObject({ code: 6, installed: true })
})

test('a later start installs nothing, unless the lockfile has changed', async () => {
  expect(await outcome(launch('0'))).toEqual({ code: 0, out: 'hello\n', installed: false })
  writeLockfile('second')
  rmSync(join(project, 'node_modules', '.package-lock.json'))
  expect(await outcome(launch('0'))).toEqual({ code: 0, out: 'hello\n', installed: true })
})

test('a signal reaches the program, and its exit code comes back', async () => {
  const launcher = launch()
  await once(launcher.stdout, 'data')
  launcher.kill('SIGTERM')
  expect(await once(launcher, 'exit')).toEqual([7, null])
})

test('a program notices that its launcher was killed', async () => {
  const launcher = launch()
  const said = later(text(launcher.stdout))
  await once(launcher.stdout, 'data')
  launcher.kill('SIGKILL')
  expect(await said).toBe('hello\nalone\n')
})

type Chain = { npm: number; shell: number; launcher: number; program: number }
const killings: [how: string, kill: (chain: Chain) => void][] = [
  ['SIGTERM to npm', ({ npm }) => process.kill(npm, 'SIGTERM')],
  ['kill -9 of npm', ({ npm }) => process.kill(npm, 'SIGKILL')],
  ['SIGTERM to the shell', ({ shell }) => process.kill(shell, 'SIGTERM')],
  ['kill -9 of the shell', ({ shell }) => process.kill(shell, 'SIGKILL')],
  ['kill -9 of the launcher', ({ launcher }) => process.kill(launcher, 'SIGKILL')],
  ['SIGTERM to all of them', ({ npm }) => process.kill(-npm, 'SIGTERM')],
  ['a terminal that is closed', ({ npm }) => process.kill(-npm, 'SIGHUP')],
]

test.each(killings)('%s ends everything that npm start began', async (_how, kill) => {
  const npm = spawn('npm', ['start', '--silent'], { cwd: project, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(npm.stdout, 'data')
  const shell = await childOf(npm.pid as number)
  const shellIsLauncher = readFileSync(`/proc/${shell}/cmdline`, 'utf8').startsWith('node')
  const launcher = shellIsLauncher ? shell : await childOf(shell)
  const program = await childOf(launcher)
  for (const pid of [npm.pid, shell, launcher, program]) expect(pid).toBeGreaterThan(1)
  kill({ npm: npm.pid as number, shell, launcher, program })
  for (const pid of [program, launcher, npm.pid as number]) await expect.poll(() => lives(pid)).toBe(false)
})

/** The kernel may omit children while others exit, and pid 0 would signal our own process group. */
async function childOf(pid: number) {
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  await expect.poll(children).toEqual([expect.toSatisfy((child: number) => child > 1)])
  return children()[0] as number
}

/** An unreaped zombie counts as gone. */
function lives(pid: number) {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('the lockfile names every optional package of every platform, or npm ci would refuse it', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  const named = new Set(Object.keys(packages).map(path => path.replace(/^.*node_modules\//, '')))
  const wanted = Object.values<{ optionalDependencies?: object }>(packages).flatMap(entry =>
    Object.keys(entry.optionalDependencies ?? {}),
  )
  expect(wanted.filter(name => !named.has(name))).toEqual([])
})
