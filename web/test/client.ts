import { buildClient, builtClient, isBuilt } from '../../server/src/platform/web-client/build.ts'
import { readClient } from '../../server/src/platform/web-client/files.ts'

export { builtClient }

/** The client as the service would serve it, built from these sources if it is not yet. */
export const readyClient = async (publicPath?: string) => {
  if (!(await isBuilt())) await buildClient()
  const files = await readClient(builtClient, publicPath)
  return { current: () => files }
}
