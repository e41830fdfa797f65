import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { buildClient, builtClient, isBuilt } from './build.ts'
import { type ClientFiles, readClient } from './files.ts'

/** The current client: undefined while it is being built. */
export type WebClient = { current(): ClientFiles | undefined }

export type WebClientOptions = {
  log: FastifyBaseLogger
  publicPath: string
  tell(sentence: string): void
  /** The build directory if the installed files are read-only, as under a hardened unit. */
  cache: string
  /** Otherwise another process on the same directory builds it, and this one waits. */
  builds: boolean
}

const lookEveryMs = 2_000

/** Reads the built client, building it first if its sources are newer. The service listens meanwhile. */
export const openWebClient = ({ log, publicPath, tell, cache, builds }: WebClientOptions): WebClient => {
  let files: ClientFiles | undefined
  const own = join(cache, 'web')
  const open = async () => {
    while (!builds && !(await isBuilt()) && !(await isBuilt(own))) await sleep(lookEveryMs, undefined, { ref: false })
    const place = (await isBuilt()) || (!(await isBuilt(own)) && mayWrite(dirname(builtClient))) ? builtClient : own
    if (!(await isBuilt(place))) {
      tell('The web client is being built; the service works meanwhile')
      const began = performance.now()
      await buildClient(place)
      tell(`The web client is built, in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
    files = await readClient(place, publicPath)
  }
  open().catch(err => {
    log.error({ err }, 'the web client cannot be built')
    tell('The web client cannot be built, the reason is in the log; the service works without it')
  })
  return { current: () => files }
}

const mayWrite = (directory: string) => {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}
