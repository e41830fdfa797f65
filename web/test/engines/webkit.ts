import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../server/test/free-port.ts'
import { webkit as tool } from '../../../server/test/tools.ts'
import { type Driver, type Handle, pressed, wrapped } from './driver.ts'
import type { Engine, Size } from './engine.ts'

const [browser = ''] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')

/** WebKit, the engine of every iPhone: WebKitGTK by its WebDriver, on a virtual screen. */
export const webkit: Engine = {
  name: 'WebKit',
  tool,
  async open(size) {
    const running: ChildProcess[] = []
    const close = async () => {
      for (const child of running.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill()
        await once(child, 'exit')
      }
    }
    try {
      const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      })
      running.push(screen)
      const [display] = await once(createInterface(screen.stdio[3] as Readable), 'line')
      const port = await freePort()
      const env = { ...process.env, DISPLAY: `:${display}`, LC_ALL: 'en_US.UTF-8', GDK_BACKEND: 'x11' }
      running.push(spawn(tool.path() ?? '', [`--port=${port}`], { env, stdio: 'ignore' }))
      const session = await openSession(`http://127.0.0.1:${port}`)
      return {
        driver: await driverOf(session.ask, size),
        async close() {
          // The browser ends with its session, not with its driver.
          await session.end()
          await close()
        },
      }
    } catch (fault) {
      await close()
      throw fault
    }
  },
}

type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

const openSession = async (address: string) => {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(address + path, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    const { value } = (await reply.json()) as { value: { error?: string; message?: string } | null }
    if (!reply.ok) throw new Error(`${method} ${path}: ${value?.message}`, { cause: value?.error })
    return value
  }
  const listening = async () => {
    for (let tries = 0; tries < 200; tries++) {
      if (await call('GET', '/status').catch(() => undefined)) return
      await sleep(50)
    }
    throw new Error('WebKitWebDriver does not answer')
  }
  await listening()
  const { sessionId } = (await call('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } },
  })) as { sessionId: string }
  const ask: Ask = (method, path, body) => call(method, `/session/${sessionId}${path}`, body)
  return { ask, end: () => ask('DELETE', '') }
}

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
type Element = { [elementKey]: string }
const elementOf = ({ handle }: Handle): Element => ({ [elementKey]: handle })

/** Candidates for a role; the engine decides which have it. */
const candidates: Record<string, string> = {
  alert: '[role=alert]',
  article: 'article',
  button: 'button, [role=button]',
  checkbox: '[type=checkbox], [role=checkbox]',
  dialog: 'dialog, [role=dialog]',
  heading: 'h1, h2, h3',
  img: 'img, [role=img]',
  link: 'a[href]',
  menuitem: '[role=menuitem]',
  textbox: 'input, textarea',
}

const driverOf = async (ask: Ask, { width, height }: Size): Promise<Driver> => {
  const run: Driver['run'] = async (text, element, given) => {
    const args = [element ? elementOf(element) : null, JSON.stringify(given ?? null)]
    return JSON.parse(
      (await ask('POST', '/execute/sync', {
        script: `return (${wrapped(text)}).apply(null, arguments)`,
        args,
      })) as string,
    )
  }
  const selected: Driver['selected'] = async css => {
    for (let tries = 1; ; tries++)
      try {
        const found = await ask('POST', '/elements', { using: 'css selector', value: css })
        return (found as Element[]).map(each => ({ handle: each[elementKey] }))
      } catch (fault) {
        // The page changed during the search.
        if (tries === 20 || (fault as Error).cause !== 'stale element reference') throw fault
      }
  }
  const act = (id: string, type: string, actions: object[]) =>
    ask('POST', '/actions', { actions: [{ type, id, actions }] })
  const click = async (x: number, y: number) => {
    const at = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' }
    await act('mouse', 'pointer', [at, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }])
  }
  await openBare(ask, run, click)
  await ask('POST', '/window/rect', { width, height })
  const widthOf = () => run((() => innerWidth).toString(), undefined, undefined)
  for (let tries = 0; (await widthOf()) !== width; tries++) {
    if (tries === 200) throw new Error(`the window does not become ${width} pixels wide`)
    await sleep(50)
  }
  return {
    open: async url => void (await ask('POST', '/url', { url })),
    async named(role, name) {
      const found: Handle[] = []
      for (const each of await selected(candidates[role] ?? `[role=${role}]`)) {
        const told = (what: string) => ask('GET', `/element/${each.handle}/computed${what}`)
        // A removed element has neither.
        const is = async () => (await told('label')) === name && (await told('role')) === role
        if (await is().catch(() => false)) found.push(each)
      }
      return found
    },
    selected,
    run,
    click,
    keys: async keys => void (await act('keys', 'key', pressed(keys))),
    choose: async (input, paths) =>
      void (await ask('POST', `/element/${input.handle}/value`, { text: paths.join('\n') })),
    picture: async () => Buffer.from((await ask('GET', '/screenshot')) as string, 'base64'),
  }
}

/** Continues in a window without a toolbar: a session's first window is never narrower than 447 pixels. */
const openBare = async (ask: Ask, run: Driver['run'], click: Driver['click']) => {
  const first = await ask('GET', '/window')
  const listen = () => {
    document.body.onclick = () =>
      void window.open('about:blank', '', 'width=390,height=844,toolbar=no,location=no,menubar=no')
  }
  await run(listen.toString(), undefined, undefined)
  await click(20, 20)
  for (let tries = 0; tries < 200; tries++) {
    const handle = ((await ask('GET', '/window/handles')) as string[]).find(each => each !== first)
    if (handle) return void (await ask('POST', '/window', { handle }))
    await sleep(50)
  }
  throw new Error('WebKit opens no window')
}
