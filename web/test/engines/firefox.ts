import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { newFolder } from '../../../server/test/new-folder.ts'
import { firefox as tool } from '../../../server/test/tools.ts'
import { type Driver, type Handle, pressed, wrapped } from './driver.ts'
import type { Engine, Size } from './engine.ts'

/** A coarse pointer, like a finger. */
const touch = 'user_pref("ui.primaryPointerCapabilities", 1);user_pref("ui.allPointerCapabilities", 1);'

/** Firefox ESR, over its native WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  tool,
  async open(size) {
    const profile = newFolder('firefox')
    await writeFile(
      join(profile, 'user.js'),
      `user_pref("intl.accept_languages", "en");${size.phone ? touch : ''}user_pref("datareporting.policy.dataSubmissionEnabled", false);`,
    )
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
    const child = spawn(tool.path() ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const close = async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill()
        await once(child, 'exit')
      }
    }
    try {
      let address = ''
      for await (const line of createInterface(child.stderr)) {
        address = /listening on (ws:\S+)/.exec(line)?.[1] ?? ''
        if (address) break
      }
      if (!address) throw new Error('Firefox ended before it listened')
      child.stderr.resume()
      return { driver: await driverOf(await connect(`${address}/session`), size), close }
    } catch (fault) {
      await close()
      throw fault
    }
  },
}

type Send = (method: string, params: object) => Promise<Record<string, unknown>>

const connect = async (address: string): Promise<Send> => {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data))
    if (type === 'success') waiting.get(id)?.resolve(result)
    else if (type === 'error') waiting.get(id)?.reject(new Error(message))
    waiting.delete(id)
  })
  socket.addEventListener('close', () => {
    for (const each of waiting.values()) each.reject(new Error('Firefox is gone'))
  })
  let last = 0
  return (method, params) => {
    const answer = Promise.withResolvers<Record<string, unknown>>()
    waiting.set(++last, answer)
    socket.send(JSON.stringify({ id: last, method, params }))
    return answer.promise
  }
}

const driverOf = async (send: Send, { width, height }: Size): Promise<Driver> => {
  await send('session.new', { capabilities: {} })
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context
  await send('browsingContext.setViewport', { context, viewport: { width, height } })
  const locate = async (locator: object) => {
    const { nodes } = await send('browsingContext.locateNodes', { context, locator })
    return (nodes as { sharedId: string }[]).map(({ sharedId }): Handle => ({ handle: sharedId }))
  }
  const act = (id: string, type: string, actions: object[], parameters?: object) =>
    send('input.performActions', { context, actions: [{ type, id, actions, ...(parameters && { parameters }) }] })
  return {
    async open(url) {
      const go = () => send('browsingContext.navigate', { context, url, wait: 'complete' })
      // It drops pending requests at the moment when a service worker first takes over.
      await go().catch((fault: Error) => {
        if (!fault.message.includes('NS_BINDING_ABORTED')) throw fault
        return go()
      })
    },
    named: (role, name) => locate({ type: 'accessibility', value: { role, name } }),
    selected: css => locate({ type: 'css', value: css }),
    async run(text, element, given) {
      const { exceptionDetails, result } = (await send('script.callFunction', {
        functionDeclaration: wrapped(text),
        target: { context },
        awaitPromise: true,
        arguments: [
          element ? { sharedId: element.handle } : { type: 'null' },
          { type: 'string', value: JSON.stringify(given ?? null) },
        ],
      })) as { exceptionDetails?: { text: string }; result?: { value: string } }
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null')
    },
    async click(x, y) {
      const at = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
      await act('mouse', 'pointer', [at, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }])
    },
    keys: async keys => void (await act('keys', 'key', pressed(keys))),
    choose: async (input, files) =>
      void (await send('input.setFiles', { context, element: { sharedId: input.handle }, files })),
    picture: async () =>
      Buffer.from((await send('browsingContext.captureScreenshot', { context })).data as string, 'base64'),
  }
}
