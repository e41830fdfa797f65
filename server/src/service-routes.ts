import { isInChat } from './chats/store.ts'
import { mayHoldLinks } from './events/links/ended-links-store.ts'
import { growing } from './platform/database/growing-tables.ts'
import { documentRoutes } from './platform/http/documents.ts'
import { publicPathOf } from './platform/http/public-path.ts'
import { initialsRoute } from './platform/media/initials/initials-route.ts'
import { openSentByProxy } from './platform/media/serving/sent-by-proxy.ts'
import { mediaRoutes } from './platform/media/serving/serve.ts'
import type { Holder } from './platform/media/signed-url.ts'
import { freeBytesOf } from './platform/media/storage/free-disk.ts'
import { mediaDirectory } from './platform/media/storage/open-storage.ts'
import type { MetricSources } from './platform/metrics/figures.ts'
import { openReadiness } from './platform/observability/readiness.ts'
import { processCounts } from './platform/process/process-counts.ts'
import { version } from './platform/process/version.ts'
import { type Parts, tablesOf } from './slice.ts'

/** Routes that belong to no slice: health, media, generated avatars, the documents of the interface. */
export const openServiceRoutes = async (parts: Parts) => {
  const { server, config, databaseUrl, fullSizes } = parts
  let draining = false
  const readiness = openReadiness({ url: databaseUrl, pool: parts.db, hasRoom: parts.hasRoomForWords })
  server.get('/healthz', async () => ({ status: 'ok', version }))
  server.get('/readyz', async (_request, reply) => {
    if (draining) return reply.code(503).send({ status: 'draining' })
    const places = processCounts()
    const more = places && { processes: { serving: places.serving, of: places.of } }
    const why = await readiness.whyNot()
    return why === undefined ? { status: 'ready', ...more } : reply.code(503).send({ status: why, ...more })
  })
  const publicPath = publicPathOf(config)
  // Below the slash lies the service worker's scope.
  if (publicPath)
    server.get(publicPath, async ({ url }, reply) =>
      reply.redirect(`${publicPath}/${url.slice(publicPath.length)}`, 301),
    )
  const mayHold = async (holder: Holder, object: number) =>
    (await mayHoldLinks(parts.db, holder, object)) ||
    ((await isInChat(parts.db, object)) && mayHoldLinks(parts.db, holder, object, 'readChat'))
  const sentByProxy = openSentByProxy(config)
  await server.register(mediaRoutes({ ...parts, find: fullSizes.find, mayHold, sentByProxy }))
  await server.register(initialsRoute)
  documentRoutes(server, parts)

  return {
    startDraining() {
      draining = true
    },
    /** The metrics as text; undefined if nobody may ask. */
    measured({ counts, slices, numbers, db, background, channelDb, realtime }: Parts): MetricSources | undefined {
      return (
        counts && {
          counts,
          freeBytes: () => freeBytesOf(mediaDirectory(config)),
          freeBytesMin: numbers.freeBytesMin,
          pools: { requests: db, background, channel: channelDb },
          growing: growing(tablesOf(slices)),
          isReady: async () => (await readiness.whyNot()) === undefined,
          clockApartSeconds: readiness.clockApartSeconds,
          sockets: realtime.sockets,
          relayLag: realtime.lag,
        }
      )
    },
    close: () => readiness.close(),
  }
}
