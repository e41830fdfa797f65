import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { openPresence } from './accounts/presence.ts'
import { accountRoutes } from './accounts/routes.ts'
import { findViewer } from './accounts/sessions.ts'
import { chatRoutes } from './chats/routes.ts'
import type { Config } from './config.ts'
import { eventNoticing, holdEvents } from './events/noticing.ts'
import { eventRoutes } from './events/routes.ts'
import { galleryRoutes } from './gallery/routes.ts'
import { openNotifications, type Timing } from './notifications/engine.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { blockedWith } from './people/access.ts'
import { peopleRoutes } from './people/routes.ts'
import { type Database, openDatabase } from './platform/database.ts'
import { hourly, tidyUp } from './platform/housekeeping.ts'
import { readBodies } from './platform/http/bodies.ts'
import { documentRoutes } from './platform/http/documents.ts'
import { openRateLimits } from './platform/http/limits.ts'
import { openServing } from './platform/http/serve.ts'
import { openServer, originOf, refuseOtherMethods } from './platform/http/server.ts'
import { type Urls, urlsFor } from './platform/http/urls.ts'
import { openJobs } from './platform/jobs.ts'
import { openDisk } from './platform/media/disk.ts'
import { receive } from './platform/media/incoming.ts'
import { initialsRoute } from './platform/media/initials-route.ts'
import { openPictures } from './platform/media/picture.ts'
import { findVariant, openMedia } from './platform/media/records.ts'
import { mediaRoutes } from './platform/media/serve.ts'
import { openSigner } from './platform/media/signed-url.ts'
import type { Push } from './platform/push/senders.ts'
import type { Secrets } from './platform/secrets.ts'
import { reportable } from './reportable.ts'

export type App = {
  server: FastifyInstance
  /** From now on `readyz` answers 503, so that a balancer sends nobody here any more. */
  startDraining(): void
  close(): Promise<void>
}

export type Opening = {
  config: Config
  db: Database
  /** The same database, for what runs apart from requests over connections of its own. */
  databaseUrl: string
  secrets: Pick<Secrets, 'media'>
  push: Push
  /** In tests: shorter waits. */
  timing?: Partial<Timing>
  log: FastifyBaseLogger
  /** In tests: parse every reply against the contract before it is sent. */
  checkReplies?: boolean
}

/** The whole service without its port: every plugin and every slice, in the order they depend on each other. */
export const openApp = async (opening: Opening): Promise<App> => {
  const { config, db, databaseUrl, secrets, push, timing, log, checkReplies = false } = opening
  let draining = false
  const { limits: numbers } = config
  const server = await openServer(config, log)
  const refuseTheRest = refuseOtherMethods(server)

  const storage = await openDisk(join(config.dataDir, 'media'))
  const pictures = openPictures({ storage, log })
  const media = openMedia(pictures, storage, numbers.photoPixelsMax)
  const signer = openSigner(secrets.media)
  readBodies(server, (stream, most) => receive(stream, most, storage), numbers)

  const limits = openRateLimits(numbers.rateFactor)
  const { serve, serveOpen } = openServing({
    server,
    db,
    limits,
    fileLimits: numbers,
    urls: urlsOf(config, signer.sign),
    findViewer: findViewer(db),
    openPerNetwork: numbers.signInsPerAddressPerMinute,
    checkReplies,
  })

  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    if (draining) return reply.code(503).send({ status: 'draining' })
    await sql`select 1`.execute(db)
    return { status: 'ready' }
  })
  await server.register(mediaRoutes({ storage, signer, find: (object, variant) => findVariant(db, object, variant) }))
  await server.register(initialsRoute)
  documentRoutes(server, originOf(config.publicUrl))

  const presence = openPresence()
  const background = openDatabase(databaseUrl, {
    connections: 4,
    name: 'afterglow background',
    onIdleError: err => log.warn({ err }, 'an idle database connection broke'),
  })
  const notifications = openNotifications({
    db: background,
    noticing: { ...eventNoticing },
    blockedWith,
    holdEvents,
    activeDevices: async rows => new Set(rows.filter(presence.isActive)),
    push,
    strict: config.push.strict,
    timing,
    log,
  })
  const tasks = { ...notifications.tasks, tidyUp: () => tidyUp(background) }
  const jobs = await openJobs({ url: databaseUrl, tasks, crontab: hourly, log })

  accountRoutes(serve, serveOpen, { limits, media, presence })
  notificationRoutes(serve, { privatePushOrigins: config.push.privateOrigins })
  eventRoutes(serve, { media, blockedWith })
  peopleRoutes(serve, { reportable })
  galleryRoutes(serve, { media, photosPerGuest: numbers.photosPerGuest })
  chatRoutes(serve, { db, media })

  refuseTheRest()
  return {
    server,
    startDraining() {
      draining = true
    },
    async close() {
      await server.close()
      await notifications.close()
      // What is on its way ends at once and is tried again, instead of waiting for a service that hangs.
      await push.close()
      await jobs.close()
      await background.destroy()
      await pictures.close()
    },
  }
}

/** One Urls for each origin that requests are addressed to; a forged Host header must not grow the map. */
const urlsOf = (config: Config, sign: Parameters<typeof urlsFor>[1]) => {
  const origin = originOf(config.publicUrl)
  const known = new Map<string, Urls>()
  return (request: FastifyRequest) => {
    const from = origin(request)
    const found = known.get(from) ?? urlsFor(from, sign)
    if (known.size < 100) known.set(from, found)
    return found
  }
}
