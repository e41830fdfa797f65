import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { leftOut } from './left-out.ts'
import { othersOfGroup } from './left-running.ts'

/**
 * Everything that must hold, in one command; `npm test -- <path>` runs only the tests whose path contains that. With
 * `--full` (`npm run test:full`) what is slow runs whole. What was left out is said in the end.
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
  // Otherwise each worker builds it.
  ['Build', 'bin/build.ts'],
]
/** In CI, once more and by themselves; a test there is tried again too, but not a file whose service did not start. */
const filesTriedAgainMax = 5
type TestFile = { path: string; passed: number }
/** Of vitest's JSON reporter. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  /** Skipped here. */
  numPendingTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const { pid } of running) if (pid) process.kill(-pid, signal)
    process.exitCode = 130
  })
}

const began = performance.now()
const words = process.argv.slice(2)
const paths = words.filter(word => word !== '--full')
if (words.length > paths.length) process.env.FULL = '1'
const full = process.env.FULL === '1'
if (paths.length === 0) await checkAll()
await test(paths)

/** At once, as each leaves a core idle for a while; their words are printed one after the other. */
async function checkAll(): Promise<void> {
  const results = checks.map(([, program, ...args]) => {
    const child = start(program, args, 'pipe')
    return Promise.all([saidOn(child.stdout), saidOn(child.stderr), codeOf(child)])
  })
  let failed = false
  for (const [index, result] of results.entries()) {
    const [said, complained, code] = await result
    print(`${checks[index]?.[0]}: ${code === 0 ? 'good' : 'FAILED'}`)
    if (code !== 0) console.log(`${said}${complained}`.trimEnd())
    failed ||= code !== 0
  }
  if (failed) process.exit(1)
}

async function test(paths: string[]): Promise<void> {
  print('Tests')
  let { passed, failed, failedFiles } = await run(paths)
  const ended = process.exitCode !== undefined
  if (process.env.CI && !ended && failedFiles.length > 0 && failedFiles.length <= filesTriedAgainMax) {
    print(`Tried again, by themselves: ${failedFiles.map(({ path }) => path).join(', ')}`)
    const again = await run(failedFiles.map(({ path }) => path))
    passed += again.passed - failedFiles.reduce((sum, file) => sum + file.passed, 0)
    failed = again.failed
  }
  console.log(`${passed} passed, ${failed} failed, after ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
  process.exitCode ??= failed === 0 ? 0 : 1
}

async function run(paths: string[]): Promise<{ passed: number; failed: number; failedFiles: TestFile[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-report-'))
  const path = join(folder, 'report.json')
  const reduced = join(folder, 'reduced')
  writeFileSync(reduced, '')
  process.env.REDUCED = reduced
  try {
    const reporters = ['default', './bin/flaky-reporter.ts', 'json'].map(name => `--reporter=${name}`)
    reporters.push(`--outputFile.json=${path}`)
    const vitest = start('node_modules/vitest/vitest.mjs', ['run', ...reporters, ...paths], 'inherit')
    const watch = setInterval(() => {
      if (!existsSync(path)) return
      clearInterval(watch)
      void endWhatWasLeft(vitest)
    }, 1000)
    const code = await codeOf(vitest)
    clearInterval(watch)
    const report: Report = JSON.parse(readFileSync(path, 'utf8'))
    tellLeftOut(paths, readFileSync(reduced, 'utf8'), report.numPendingTests)
    const { numPassedTests: passed, numFailedTests, numFailedTestSuites, testResults } = report
    const failedFiles = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, assertionResults }) => ({
        path: relative('.', name),
        passed: assertionResults.filter(({ status }) => status === 'passed').length,
      }))
    // A file that cannot even be loaded has no tests to fail.
    return { passed, failed: numFailedTests || numFailedTestSuites || (code === 0 ? 0 : 1), failedFiles }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Whoever starts a process and does not end it holds its worker's output open, and vitest waits for that without an end:
 * half a minute after the report such a process is named, and ended.
 */
async function endWhatWasLeft(vitest: ChildProcess): Promise<void> {
  const isOver = async (milliseconds: number) => {
    await sleep(milliseconds, undefined, { ref: false })
    return vitest.exitCode !== null || vitest.signalCode !== null
  }
  if (await isOver(30_000)) return
  for (const { pid, command } of othersOfGroup(vitest.pid as number)) {
    console.error(`Left running by a test, and ended: ${command}`)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended with another one.
    }
  }
  if (!(await isOver(30_000))) vitest.kill('SIGKILL')
}

/** Nothing is left out in silence. `reduced`: a line for each of what ran at a quarter. */
function tellLeftOut(paths: string[], reduced: string, skipped: number): void {
  if (full) return
  print('Left to `npm run test:full`')
  console.log(`${skipped} tests, shown above as skipped`)
  for (const { pattern, why } of leftOut(paths)) console.log(`${pattern}: ${why}`)
  for (const line of new Set(reduced.split('\n').filter(Boolean).sort())) console.log(line)
}

function start(program: string, args: string[], output: 'pipe' | 'inherit'): ChildProcess {
  // Each leads a group of its own; signals are passed on to it.
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', output, output], detached: true })
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
