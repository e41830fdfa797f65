import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesOf } from '../server/test/processes.ts'
import { skippedTests } from './skipped-tests.ts'
import { missingTools, type Report } from './test-report.ts'
import { endRun, openRun } from './test-run.ts'

/**
 * Runs every check in one command; `npm test -- <path>` runs only the tests whose path contains it. `--full` (`npm run
 * test:full`) runs slow parts whole; `--shuffle` runs files in random order, which `SEED` repeats. The end of the
 * output lists what was left out.
 */
const folders = ['bin', 'contract', 'conformance', 'server', 'sdk', 'bench', 'proof', 'demo', 'web']
const checks: [heading: string, program: string, ...args: string[]][] = [
  ['Types', 'node_modules/typescript-7/bin/tsc', '--noEmit'],
  ['Types of the web client', 'node_modules/typescript-7/bin/tsc', '--noEmit', '-p', 'web'],
  ['Lint and format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'],
  [
    'Import walls',
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    ...folders,
  ],
  ['Unused files, exports and packages', 'node_modules/knip/bin/knip.js'],
  // Otherwise each worker would build it.
  ['Build', 'bin/build.ts'],
]

const running = new Set<ChildProcess>()
const folder = openRun()
let stopped = false
// The end of the launcher, a closed terminal and a broken pipe all mean: stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => stop(130))
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop(141))

const began = performance.now()
const words = process.argv.slice(2)
const paths = words.filter(word => !['--full', '--shuffle'].includes(word))
if (words.includes('--full')) process.env.FULL = '1'
if (words.includes('--shuffle')) process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 31))
const full = process.env.FULL === '1'
try {
  const isGood = paths.length > 0 || (await checkAll())
  if (isGood && !stopped) await test(paths)
  else process.exitCode ??= 1
} finally {
  await endRun(folder)
}
// The launcher's channel would keep this process alive.
process.exit()

async function stop(code: number): Promise<void> {
  if (stopped) return
  stopped = true
  process.exitCode = code
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGTERM')
  await sleep(5_000)
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL')
}

/** Runs them concurrently, as each leaves a core idle for a while; their output is printed one after the other. */
async function checkAll(): Promise<boolean> {
  const results = checks.map(([, program, ...args]) => {
    const child = start(program, args, 'pipe')
    return Promise.all([saidOn(child.stdout), saidOn(child.stderr), codeOf(child)])
  })
  let isGood = true
  for (const [index, result] of results.entries()) {
    const [said, complained, code] = await result
    if (stopped) continue
    print(`${checks[index]?.[0]}: ${code === 0 ? 'good' : 'FAILED'}`)
    if (code !== 0) console.log(`${said}${complained}`.trimEnd())
    isGood &&= code === 0
  }
  return isGood
}

async function test(paths: string[]): Promise<void> {
  print(process.env.SEED ? `Tests, in the order of SEED=${process.env.SEED}` : 'Tests')
  const path = join(folder, 'report.json')
  const reduced = join(folder, 'reduced')
  writeFileSync(reduced, '')
  process.env.REDUCED = reduced
  const reporters = ['default', './bin/retried-reporter.ts', 'json'].map(name => `--reporter=${name}`)
  reporters.push(`--outputFile.json=${path}`)
  const vitest = start('node_modules/vitest/vitest.mjs', ['run', ...reporters, ...paths], 'inherit')
  const watch = setInterval(() => {
    if (!existsSync(path)) return
    clearInterval(watch)
    void endWhatWasLeft(vitest)
  }, 1000)
  const code = await codeOf(vitest)
  clearInterval(watch)
  if (stopped || !existsSync(path)) {
    process.exitCode ??= 1
    return
  }
  const report: Report = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingTools(report)
  reportSkipped(paths, readFileSync(reduced, 'utf8'), report, missing)
  const { numPassedTests: passed, numFailedTests, numFailedTestSuites } = report
  // A file that fails to load, or leaves something open, has no failed tests.
  const failed = numFailedTests || numFailedTestSuites || (code === 0 ? 0 : 1)
  console.log(`${passed} passed, ${failed} failed, after ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  const isComplete = !process.env.CI || missing.every(({ packages }) => packages === '')
  if (!isComplete) console.log('In CI nothing may be left out for a missing package.')
  process.exitCode ??= failed === 0 && isComplete ? 0 : 1
}

/**
 * vitest waits for ever for a process that outlives its test and holds a worker's output open: half a minute after the
 * report we name and end it.
 */
async function endWhatWasLeft(vitest: ChildProcess): Promise<void> {
  const isOver = async (milliseconds: number) => {
    await sleep(milliseconds, undefined, { ref: false })
    return vitest.exitCode !== null || vitest.signalCode !== null
  }
  if (await isOver(30_000)) return
  for (const { pid, command } of processesOf(folder).filter(({ pid }) => pid !== vitest.pid)) {
    console.error(`Left running, and ended: ${command}`)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It exited with another one.
    }
  }
  if (!(await isOver(30_000))) vitest.kill('SIGKILL')
}

type Missing = ReturnType<typeof missingTools>

/** Reports everything left out. `reduced`: a line for each suite that ran at a quarter. */
function reportSkipped(paths: string[], reduced: string, { numPendingTests }: Report, missing: Missing): void {
  if (missing.length > 0) print('Left out on this machine')
  for (const { name, packages, count } of missing)
    console.log(`${count} ${count === 1 ? 'test needs' : 'tests need'} ${name}${packages && `: ${packages}`}`)
  if (full) return
  print('Left to `npm run test:full`')
  console.log(`${numPendingTests - missing.reduce((sum, { count }) => sum + count, 0)} tests, shown above as skipped`)
  for (const { pattern, why } of skippedTests(paths)) console.log(`${pattern}: ${why}`)
  for (const line of new Set(reduced.split('\n').filter(Boolean).sort())) console.log(line)
}

function start(program: string, args: string[], output: 'pipe' | 'inherit'): ChildProcess {
  // Each command leads a process group; signals are passed on to it.
  const env = { ...process.env, TMPDIR: folder, RUN_FOLDER: folder }
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', output, output], detached: true, env })
  running.add(child.once('close', () => running.delete(child)))
  return child
}

function saidOn(stream: Readable | null): Promise<string> | '' {
  return stream ? text(stream) : ''
}

function codeOf(child: ChildProcess): Promise<number> {
  return new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
}

function print(heading: string): void {
  console.log(`\n== ${heading}`)
}
