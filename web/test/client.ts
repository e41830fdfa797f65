import { buildClient, builtClient, isBuilt } from '../../server/src/platform/web-client/build.ts'
import { readClient } from '../../server/src/platform/web-client/files.ts'

export { builtClient }

/** Checked once per worker, as that reads all of its sources. */
let built: Promise<void> | undefined
const build = async () => {
  if (!(await isBuilt())) await buildClient()
}

/** The client as the service would serve it, built from these sources if necessary. */
export const readyClient = async (publicPath?: string) => {
  built ??= build()
  await built
  const files = await readClient(builtClient, publicPath)
  return { current: () => files }
}
