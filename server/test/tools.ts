import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that a machine may lack. Tests declare them by `needing` (server/test/needing.ts). */
export type Tool = {
  name: string
  /** The Debian packages that provide it, as the end of a sentence; none if packages do not matter. */
  packages: string
  path: () => string | undefined
}

const inPath = (program: string) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map(folder => join(folder, program))
    .find(path => existsSync(path))

const allOf = (...programs: string[]) => {
  const paths = programs.map(inPath)
  return paths.every(path => path !== undefined) ? paths[0] : undefined
}

const anyOf = (...programs: string[]) => programs.map(inPath).find(path => path !== undefined)

/** Cached: some of the checks start a program. */
const once = <Answer>(ask: () => Answer) => {
  let answer: { is: Answer } | undefined
  return () => {
    answer ??= { is: ask() }
    return answer.is
  }
}

const tool = (name: string, packages: string, path: () => string | undefined): Tool => ({
  name,
  packages,
  path: once(path),
})

const chosenBrowser = () => process.env.CHROMIUM
const wholeBrowsers = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']
const python = '/usr/bin/python3'
const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64'

/**
 * The headless shell has the same engine: it starts and draws in half of the time. Only installing as an app needs the
 * whole browser.
 */
export const browser = tool(
  'a browser',
  'chromium-headless-shell, chromium or google-chrome',
  () => chosenBrowser() ?? anyOf('chromium-headless-shell', ...wholeBrowsers),
)
export const wholeBrowser = tool(
  'a browser with windows',
  'chromium or google-chrome',
  () => chosenBrowser() ?? anyOf(...wholeBrowsers),
)
export const firefox = tool('Firefox', 'firefox-esr', () => anyOf('firefox-esr', 'firefox'))
export const webkit = tool('WebKit', 'webkit2gtk-driver and xvfb', () =>
  globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser').length > 0 ? allOf('WebKitWebDriver', 'Xvfb') : undefined,
)
export const ffmpeg = tool('ffmpeg', 'ffmpeg', () => allOf('ffmpeg', 'ffprobe'))
export const nginx = tool('nginx', 'nginx-light', () => inPath('nginx'))
export const redis = tool('Redis', 'redis-server', () => inPath('redis-server'))
export const pgBouncer = tool('PgBouncer', 'pgbouncer', () => inPath('pgbouncer'))
export const s3 = tool('an S3 server', 'radosgw, ceph-mon and ceph-osd', () =>
  allOf('ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph-authtool', 'monmaptool', 'setpriv'),
)
export const promtool = tool('promtool', 'prometheus', () => inPath('promtool'))
export const curl = tool('curl', 'curl', () => inPath('curl'))
export const unzip = tool('unzip', 'unzip', () => inPath('unzip'))
export const sevenZip = tool('7z', 'p7zip-full', () => inPath('7z'))
export const faketime = tool('faketime', 'faketime', () =>
  [`/usr/lib/${architecture}-linux-gnu/faketime/libfaketimeMT.so.1`].find(path => existsSync(path)),
)
/** Two independent parsers. */
export const calendarParsers = tool('calendar parsers', 'python3-icalendar and python3-vobject', () =>
  spawnSync(python, ['-c', 'import icalendar, vobject']).status === 0 ? python : undefined,
)

export const bubblewrap = tool('bubblewrap', 'bubblewrap', () => {
  const program = inPath('bwrap')
  const args = ['--ro-bind', '/', '/', '--unshare-all', 'true']
  return program && spawnSync(program, args).status === 0 ? program : undefined
})

const trial = 'mount --make-rprivate / && mount -t tmpfs none /mnt && mkdir /mnt/c && mount -t cgroup2 none /mnt/c'
export const systemd = tool('systemd, bubblewrap and pgrep, started by root where namespaces are open', '', () => {
  const program = '/lib/systemd/systemd'
  if (process.getuid?.() !== 0 || !existsSync(program) || !bubblewrap.path() || !inPath('pgrep')) return undefined
  const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', '--cgroup', 'sh', '-c', trial])
  return status === 0 ? program : undefined
})
export const tourWanted = tool('TOUR=1', '', () => process.env.TOUR)
