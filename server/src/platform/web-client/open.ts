import type { FastifyBaseLogger } from 'fastify'
import { buildClient, builtClient, isBuilt } from './build.ts'
import { type ClientFiles, readClient } from './files.ts'

/** The client as it stands: undefined while it is being built. */
export type WebClient = { current(): ClientFiles | undefined }

/** Reads the built client, and builds it first when its sources are newer. The service listens meanwhile. */
export const openWebClient = (log: FastifyBaseLogger, tell: (sentence: string) => void): WebClient => {
  let files: ClientFiles | undefined
  const open = async () => {
    if (!(await isBuilt())) {
      tell('The web client is being built; the service works meanwhile')
      const began = performance.now()
      await buildClient()
      tell(`The web client is built, in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
    files = await readClient(builtClient)
  }
  open().catch(err => {
    log.error({ err }, 'the web client cannot be built')
    tell('The web client cannot be built, the reason is in the log; the service works without it')
  })
  return { current: () => files }
}
