import { publicPath } from '../public-path.ts'
import { openStore } from '../store.ts'

/** True if the last attempt reached the service. */
export const online = openStore(navigator.onLine)

const probeMs = 3000
let probing: ReturnType<typeof setTimeout> | undefined

/** A reply has come. A reply that was already on its way when the network failed proves nothing. */
export const reached = () => {
  if (navigator.onLine) goOn()
  else probing ??= setTimeout(probe, probeMs)
}

const goOn = () => {
  clearTimeout(probing)
  probing = undefined
  online.set(true)
}

/** A request never arrived: the service is asked again and again until it answers. */
export const unreachable = () => {
  online.set(false)
  probing ??= setTimeout(probe, probeMs)
}

/** Loads code in the background, however often the network is away when it is requested. */
export const loaded = <Code>(load: () => Promise<Code>): Promise<Code> =>
  load().catch(() => new Promise(resolve => setTimeout(() => resolve(loaded(load)), probeMs)))

const probe = async () => {
  probing = undefined
  try {
    const { ok } = await fetch(`${publicPath}/healthz`, { cache: 'no-store', signal: AbortSignal.timeout(8000) })
    if (ok) return goOn()
  } catch {
    // Still unreachable.
  }
  unreachable()
}

window.addEventListener('online', () => void probe())
window.addEventListener('offline', unreachable)
