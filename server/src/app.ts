import { can, isReachable } from '@afterglow/contract/capabilities'
import type { FastifyInstance } from 'fastify'
import { openPlatform, type PlatformOptions } from './open-platform.ts'
import { Unreadable } from './platform/http/refusals.ts'
import { refuseOutsider } from './platform/http/refuse-outsider.ts'
import { openServing } from './platform/http/serve.ts'
import { refuseOtherMethods } from './platform/http/server.ts'
import { serveMetrics } from './platform/metrics/endpoint.ts'
import { sparingly } from './platform/web-client/preview.ts'
import { webClientRoutes } from './platform/web-client/routes.ts'
import { openServiceRoutes } from './service-routes.ts'
import type { OpenedSlice, Parts, SharedFunctions, Slice } from './slice.ts'
import { slices as ownSlices } from './slices.ts'
import { openWork } from './work.ts'

export type App = {
  server: FastifyInstance
  /** The loopback address of the metrics; null if disabled. */
  metricsAddress: string | null
  /** `readyz` answers 503, so that a load balancer looks elsewhere; connections end with their next response. */
  startDraining(): void
  /** Stops accepting new connections; existing ones end with their next response. */
  handOver(): void
  /** How long requests in progress may take to finish. */
  close(finishAnswersMs?: number): Promise<void>
}

/** The whole service without its port: the platform, and the slices in dependency order. */
export const openApp = async (opening: PlatformOptions, slices: readonly Slice[] = ownSlices): Promise<App> => {
  const platform = await openPlatform(opening)
  await opening.prepareTables?.().catch(async fault => {
    await platform.closePlatform()
    throw fault
  })
  const { server, answering, config, webClient, numbers, checkReplies = false } = platform
  const refuseTheRest = refuseOtherMethods(server)
  const given = Object.assign({}, ...slices.map(slice => slice.gives?.(platform, slices))) as SharedFunctions
  const serving = openServing({
    ...platform,
    fileLimits: numbers,
    findViewer: given.sessions.find,
    async requireEvent(viewer, operation) {
      if (viewer.cameToAdd ? isReachable(operation.name, 'adder') : !given.registration.needsPlace(viewer, operation))
        return
      const events = await given.membership.eventsOf(platform.db, viewer.id)
      if (events.some(({ role }) => can(role, 'read'))) return
      if (viewer.cameToAdd) refuseOutsider(operation)
      throw new Unreadable('A guest who is in no event can read and leave, and do nothing else.')
    },
    openPerNetwork: platform.perNetwork,
    checkReplies,
  })
  const parts: Parts = { ...platform, ...serving, ...given, slices }
  const routes = await openServiceRoutes(parts)

  const opened: OpenedSlice[] = []
  for (const slice of slices) {
    const each = await slice.open(parts)
    Object.assign(parts, each.gives)
    opened.push(each)
  }
  const work = await openWork(parts, opened)
  const metrics = await serveMetrics(config.metrics, server, routes.measured(parts))
  if (webClient) webClientRoutes(server, webClient, sparingly(given.previewOf, platform))
  refuseTheRest(serving.actAs)

  return {
    server,
    metricsAddress: metrics?.address ?? null,
    startDraining() {
      routes.startDraining()
      answering.drain()
    },
    handOver: answering.handOver,
    async close(finishAnswersMs = 4_000) {
      const working = work.close()
      for (const { stop } of opened) await stop?.()
      await answering.finish(finishAnswersMs)
      await platform.endReading()
      await server.close()
      await metrics?.close()
      await working
      await routes.close()
      for (const { close } of opened.toReversed()) await close?.()
      await platform.closePlatform()
    },
  }
}
