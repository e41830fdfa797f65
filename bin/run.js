#!/usr/bin/env node
// node bin/run.js [Node's flags] <file.ts> [arguments]: installs what is missing, then runs the file under the
// project's own Node. Plain JavaScript for any Node from 20 on, as it runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.afterglow-installed')
const nodeMajorMin = 24

const [file, ...args] = process.argv.slice(2)
if (!file) giveUp("Usage: node bin/run.js [Node's flags] <file.ts> [arguments]")
if (Number(process.versions.node.split('.')[0]) < 20)
  giveUp(`Afterglow needs Node 20 or newer; this is ${process.version}.`)

const lockfile = readFileSync(join(root, 'package-lock.json'))
const wanted = createHash('sha256').update(`${process.platform} ${process.arch} `).update(lockfile).digest('hex')
if (!isInstalled()) await installAlone()
run([file, ...args])

function isInstalled() {
  const found = textOf(stamp)
  if (found === wanted) return true
  // After `npm run build:production` only the service's needs are installed.
  if (found === `${wanted} production`) return process.argv.some(part => /^server\/.*\.ts$/.test(part))
  if (!holdsWhatIsLocked(textOf(join(modules, '.package-lock.json')))) return false
  writeStamp()
  return true
}

/** npm's own record of a finished install, for a node_modules that this launcher did not make. */
function holdsWhatIsLocked(record) {
  if (!record) return false
  const installed = JSON.parse(record).packages
  const locked = Object.entries(JSON.parse(lockfile.toString()).packages).filter(([path]) => path !== '')
  const stray = Object.keys(installed).filter(path => !locked.some(([known]) => known === path))
  const same = (one, other) => one && JSON.stringify(one) === JSON.stringify(other)
  return (
    stray.length === 0 &&
    locked.every(([path, entry]) => same(installed[path], entry) || (entry.optional && !installed[path]))
  )
}

function writeStamp() {
  try {
    writeFileSync(stamp, wanted)
  } catch {
    // A read-only node_modules is checked on every start instead.
  }
}

/**
 * Allows one installer at a time: the lock is a listening socket, which the kernel closes with its last holder, however
 * that dies. npm inherits it, so an npm that outlives us is still waited for. The end of the connection wakes waiting
 * processes.
 */
async function installAlone() {
  const waiting = new Set()
  const lock = createServer(socket => waiting.add(socket.on('error', () => {})))
  const name = `afterglow-install-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  if (!(await listens(lock, address))) {
    console.error('Another start is installing; waiting for it.')
    await connectionEnd(address)
    return isInstalled() || installAlone()
  }
  if (!isInstalled()) await install(lock)
  lock.close()
  for (const socket of waiting) socket.destroy()
}

function listens(lock, address) {
  return new Promise((resolve, reject) => {
    lock.once('error', fault => (fault.code === 'EADDRINUSE' ? resolve(false) : reject(fault)))
    lock.listen(address, () => resolve(true))
  })
}

function connectionEnd(address) {
  return new Promise(resolve => {
    const socket = connect(address).resume().once('close', resolve)
    // Outside Linux the socket has a path, which a killed holder leaves behind.
    socket.on('error', () => address.startsWith('\0') || rmSync(address, { force: true }))
  })
}

async function install(lock) {
  console.error('Installing the packages of package-lock.json ...')
  const stopTelling = tellProgress()
  rmSync(stamp, { force: true })
  // Avoids the node of the node_modules that npm is about to remove.
  const path = (process.env.PATH ?? '').split(delimiter).filter(part => !part.startsWith(modules))
  const npm = spawn(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--include=optional'],
    {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter) },
      stdio: ['ignore', 2, 2, lock._handle.fd],
    },
  )
  process.once('disconnect', () => npm.kill('SIGTERM'))
  const code = await new Promise(resolve => npm.once('error', resolve).once('close', resolve))
  stopTelling()
  if (code?.code === 'ENOENT') giveUp('npm is missing: it comes with Node, or as a package of its own.')
  if (code !== 0) giveUp('npm could not install the packages; its reason stands above.')
  linkNode()
  writeStamp()
}

/** Debian 13's npm (9.2) omits the link to the pinned Node. */
function linkNode() {
  const link = join(modules, '.bin', 'node')
  const node = join('..', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (!existsSync(link) && existsSync(join(modules, '.bin', node))) symlinkSync(node, link)
}

/**
 * npm prints nothing for minutes without a terminal for its bar, so we count the packages: at a terminal on one line.
 */
function tellProgress() {
  const isHere = ({ os, cpu }) => (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch))
  const due = Object.entries(JSON.parse(lockfile.toString()).packages)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.link && isHere(entry))
    .map(([path]) => join(root, path, 'package.json'))
  const terminal = process.stderr.isTTY
  let told = 0
  const tell = () => {
    const come = due.filter(path => existsSync(path)).length
    if (come === told) return
    told = come
    process.stderr.write(`${terminal ? '\r' : ''}  ${come} of ${due.length} packages${terminal ? '' : '\n'}`)
  }
  const telling = setInterval(tell, terminal ? 300 : 5000)
  return () => {
    clearInterval(telling)
    if (terminal && told > 0) process.stderr.write('\n')
  }
}

/**
 * Uses the pinned Node by path: a shell or npm may have cached another. On a platform without one, uses the current
 * Node if new enough.
 */
function run(args) {
  const ours = Number(process.versions.node.split('.')[0]) >= nodeMajorMin ? process.execPath : null
  const pinned = join(modules, '.bin', 'node')
  start(existsSync(pinned) ? [pinned, ours] : [ours], args)
}

function start([node, fallback], args) {
  if (!node) giveUp(`npm has no Node for this platform: install Node ${nodeMajorMin} or newer and start again.`)
  // A compile cache makes the second start a quarter faster and 18 MB smaller, as no TypeScript need be stripped.
  const env = { NODE_COMPILE_CACHE: join(modules, '.cache', 'node'), ...process.env }
  // The channel exists to break: it makes the child stop in order when we are killed.
  const child = spawn(node, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  child.once('error', () => start([fallback], args))
  child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.once('disconnect', () => child.kill('SIGTERM'))
  if (process.env.npm_lifecycle_event) endWithNpm(() => child.kill('SIGTERM'))
}

/**
 * A terminated npm signals only the shell between us, which exits silently; a killed npm signals nothing. So we poll
 * for our ancestors, because nothing else would end the program.
 */
function endWithNpm(end) {
  const shell = process.ppid
  const npm = /sh$/.test(textOf(`/proc/${shell}/comm`).trim()) ? parentOf(shell) : null
  const looking = setInterval(() => {
    if (process.ppid === shell && (npm === null || parentOf(shell) === npm)) return
    clearInterval(looking)
    end()
  }, 250)
  looking.unref()
}

/** The fourth field of /proc/<pid>/stat; the second, a name in brackets, may contain anything. */
function parentOf(pid) {
  return Number(
    textOf(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')[1],
  )
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}
