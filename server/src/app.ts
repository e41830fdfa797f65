import { join } from 'node:path'
import { strangersInvitedPerDay } from '@afterglow/contract/limits'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { openAnswers } from './accounts/answers.ts'
import { openIdentities } from './accounts/identities.ts'
import { openLastUses } from './accounts/last-uses.ts'
import { mailTasks } from './accounts/mail/mailing.ts'
import { openPresence } from './accounts/presence.ts'
import { providerCallback, providerRoutes } from './accounts/provider-routes.ts'
import { recoveryRoutes } from './accounts/recovery-routes.ts'
import { openRegistration } from './accounts/registration.ts'
import { accountRoutes } from './accounts/routes.ts'
import { openSessionCache } from './accounts/session-cache.ts'
import { chatShowing } from './chats/channel.ts'
import { chatNoticing } from './chats/notification-templates.ts'
import { chatRoutes } from './chats/routes.ts'
import type { Config } from './config.ts'
import { coverRoutes } from './events/covers.ts'
import { openLinkCodes } from './events/link-codes.ts'
import { linkPictureRoutes } from './events/link-pictures.ts'
import { linkRoutes } from './events/link-routes.ts'
import { invitationBy } from './events/links.ts'
import { openMembership } from './events/membership-kept.ts'
import { eventNoticing, holdEvents } from './events/noticing.ts'
import { openPreviews } from './events/previews.ts'
import { eventRoutes } from './events/routes.ts'
import { eventShowing } from './events/showing.ts'
import { albumRoutes } from './gallery/album-routes.ts'
import { galleryShowing } from './gallery/channel.ts'
import { commentRoutes } from './gallery/comment-routes.ts'
import { convertingTasks } from './gallery/converting.ts'
import { galleryNoticing } from './gallery/noticing.ts'
import { galleryRoutes } from './gallery/routes.ts'
import { uploadSessionRoutes } from './gallery/session-routes.ts'
import { uploadRoutes } from './gallery/upload-routes.ts'
import { sweepSessions } from './gallery/upload-sessions.ts'
import { eraseDueAccounts } from './leaving/erasing.ts'
import { expireExports, leavingNoticing, makeExport } from './leaving/exporting.ts'
import { leavingRoutes } from './leaving/routes.ts'
import { pruneChanges } from './notifications/changes-store.ts'
import { openNotifications, type Timing } from './notifications/engine.ts'
import { openRealtime } from './notifications/realtime.ts'
import { realtimeRoutes } from './notifications/realtime-routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { openSessionEnds } from './notifications/session-ends.ts'
import { blockedWith, circleOf, findableOf } from './people/access.ts'
import { peopleNoticing } from './people/noticing.ts'
import { peopleRoutes } from './people/routes.ts'
import { type Database, openDatabase } from './platform/database.ts'
import { hourly, nightly, tidyUp } from './platform/housekeeping.ts'
import { readBodies } from './platform/http/bodies.ts'
import { openAnswering } from './platform/http/closing.ts'
import { documentRoutes } from './platform/http/documents.ts'
import { openRateLimits } from './platform/http/limits.ts'
import { openOpenBodies } from './platform/http/open-bodies.ts'
import { openServing } from './platform/http/serve.ts'
import { openServer, originOf, refuseOtherMethods } from './platform/http/server.ts'
import { type Urls, urlsFor } from './platform/http/urls.ts'
import { openJobs } from './platform/jobs.ts'
import { openMailer } from './platform/mail/mailer.ts'
import { freeBytesOf, openFreeDisk } from './platform/media/free-disk.ts'
import { openFullSizes } from './platform/media/full-size.ts'
import { receive } from './platform/media/incoming.ts'
import { initialsRoute } from './platform/media/initials-route.ts'
import { mediaDirectory, openStorage } from './platform/media/open-storage.ts'
import { openPictures } from './platform/media/picture.ts'
import { openMedia } from './platform/media/records.ts'
import { mediaRoutes } from './platform/media/serve.ts'
import { openSessionFiles } from './platform/media/session-files.ts'
import { openSessionParts } from './platform/media/session-parts.ts'
import { openSigner } from './platform/media/signed-url.ts'
import { storageTasks } from './platform/media/storage-tasks.ts'
import { countAnswers, countPushes, countUploads, openCounts } from './platform/metrics/counts.ts'
import { serveMetrics } from './platform/metrics/serving.ts'
import { definitionsOf } from './platform/openid/definition.ts'
import { openProvider } from './platform/openid/provider.ts'
import type { PublishedTiming } from './platform/openid/published.ts'
import type { Push } from './platform/push/senders.ts'
import { openReadiness } from './platform/readiness.ts'
import { instanceName, openRedis } from './platform/redis.ts'
import type { Secrets } from './platform/secrets.ts'
import { say } from './platform/terminal.ts'
import type { Traces } from './platform/traces.ts'
import { version } from './platform/version.ts'
import { framePixelsMax } from './platform/video/film.ts'
import type { FoundTool } from './platform/video/find-tool.ts'
import { openVideoKeeping } from './platform/video/keeping.ts'
import { openVideos } from './platform/video/videos.ts'
import type { WebClient } from './platform/web-client/open.ts'
import { webClientRoutes } from './platform/web-client/routes.ts'
import { reportable } from './reportable.ts'

export type App = {
  server: FastifyInstance
  /** Where metrics are served on the loopback, if they are. */
  metricsAddress: string | null
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
  /** What browsers need to subscribe to our pushes. */
  vapidPublicKey: string
  push: Push
  /** What converts videos; undefined: videos are refused. */
  video?: FoundTool | undefined
  /** What is served at `/`; without one nothing is. */
  webClient?: WebClient
  traces?: Traces | undefined
  /** In tests: shorter waits. */
  timing?: Partial<Timing & PublishedTiming>
  log: FastifyBaseLogger
  /** In tests: parse every reply against the contract before it is sent. */
  checkReplies?: boolean
}

/** Who asked before the service stops gets so long for an answer. */
const finishAnswersMs = 4_000

/** The whole service without its port: every plugin and every slice, in the order they depend on each other. */
export const openApp = async (opening: Opening): Promise<App> => {
  const {
    config,
    db,
    databaseUrl,
    secrets,
    vapidPublicKey,
    video,
    webClient,
    traces,
    timing,
    log,
    checkReplies = false,
  } = opening
  let draining = false
  const { limits: numbers } = config
  const server = await openServer(config, log)
  traces?.ofRequests(server)
  const answering = openAnswering(server)
  const measures = config.metrics.port !== null || config.metrics.token !== null
  const counts = measures ? openCounts() : undefined
  if (counts) countAnswers(server, counts)
  const push = counts ? countPushes(opening.push, counts) : opening.push
  const refuseTheRest = refuseOtherMethods(server)

  const storage = await openStorage(config, {
    whenUnreachable: ({ message }) =>
      say(`${message} Photos and videos are off until it answers; everything else is served.`),
  })
  const sessionFiles =
    config.storage.at === 'disk' && config.storage.from === null
      ? await openSessionFiles(join(mediaDirectory(config), 'sessions'), storage)
      : openSessionParts(db, storage)
  const pictures = openPictures({ storage, log })
  const media = openMedia(pictures, storage, numbers)
  const videoLimits = { secondsMax: numbers.videoSecondsMax, pixelsMax: framePixelsMax }
  const videos = video && openVideos({ ...video, storage, pictures, limits: videoLimits })
  const signer = openSigner(secrets.media)
  const take = counts ? countUploads(receive, counts) : receive
  const demandFreeDisk = openFreeDisk(mediaDirectory(config), numbers.freeBytesMin)
  readBodies(server, {
    receive: async (stream, most) => {
      // Until it is read nobody listens: what breaks off meanwhile would be an uncaught exception.
      stream.on('error', () => {})
      await demandFreeDisk()
      return take(stream, most, storage)
    },
    limits: numbers,
    bodies: openOpenBodies(),
  })

  const shared =
    config.redisUrl === null
      ? undefined
      : openRedis(config.redisUrl, config.redisPrefix ?? `afterglow:${await instanceName(db)}`, log)
  const limits = openRateLimits(numbers.rateFactor, shared)
  const background = openDatabase(databaseUrl, {
    connections: 4,
    name: 'afterglow background',
    onIdleError: err => log.warn({ err }, 'an idle database connection broke'),
  })
  const lastUses = openLastUses(background, log)
  const sessions = openSessionCache(db, { whenUsed: lastUses.note })
  const urlsOfRequest = urlsOf(config, signer.sign)
  const { serve, serveOpen, serveEither, admit } = openServing({
    server,
    db,
    limits,
    fileLimits: numbers,
    urls: urlsOfRequest,
    findViewer: sessions.find,
    openPerNetwork: numbers.signInsPerAddressPerMinute,
    checkReplies,
  })

  const readiness = openReadiness(databaseUrl)
  server.get('/healthz', async () => ({ status: 'ok', version }))
  server.get('/readyz', async (_request, reply) => {
    if (draining) return reply.code(503).send({ status: 'draining' })
    return (await readiness.isReady()) ? { status: 'ready' } : reply.code(503).send({ status: 'no database' })
  })
  const fullSizes = openFullSizes({ db, storage, pictures, pixelsMax: numbers.photoPixelsMax })
  await server.register(mediaRoutes({ storage, signer, find: fullSizes.find }))
  await server.register(initialsRoute)
  documentRoutes(server, {
    originOf: originOf(config.publicUrl),
    limits,
    perNetwork: numbers.signInsPerAddressPerMinute,
  })

  const presence = openPresence(shared)
  const notifications = openNotifications({
    db: background,
    noticing: { ...eventNoticing, ...peopleNoticing, ...galleryNoticing, ...chatNoticing, ...leavingNoticing },
    blockedWith,
    holdEvents,
    activeDevices: presence.activeOf,
    push,
    strict: config.push.strict,
    timing,
    log,
  })
  const closing = new AbortController()
  const mailer = openMailer({ ...config.mail, folder: join(config.dataDir, 'mail'), log })
  const codes = openLinkCodes(secrets.media.key)
  const ownTasks = {
    ...notifications.tasks,
    ...mailTasks({
      db: background,
      mailer,
      invitationBy: linkId => invitationBy(background, codes, linkId),
      publicUrl: config.publicUrl,
      log,
    }),
    async tidyUp() {
      await mailer.expire()
      await tidyUp(background, {
        changes: () => pruneChanges(background),
        account_exports: async () => {
          await expireExports(background)
          return false
        },
        upload_sessions: () => sweepSessions(background, sessionFiles),
      })
    },
    ...storageTasks({
      db: background,
      storage,
      fullSizes,
      everyDays: { sweep: config.storage.sweepEveryDays, reread: config.storage.rereadEveryDays },
      signal: closing.signal,
      log,
    }),
    eraseAccounts: () => eraseDueAccounts(background, { mailer, fullSizes }),
    exportAccount: ({ id }: { id: number }) => makeExport(background, storage, id),
  }
  const tasks = traces?.ofJobs(ownTasks) ?? ownTasks
  const jobs = await openJobs({ url: databaseUrl, tasks, crontab: `${hourly}\n${nightly}`, log })
  const videoJobs =
    videos &&
    (await openJobs({
      url: databaseUrl,
      tasks: convertingTasks({ db: background, videos, has: storage.has, log }),
      log,
      atOnce: 1,
    }))

  const channelDb = openDatabase(databaseUrl, {
    connections: 4,
    name: 'afterglow channel',
    plansOnce: true,
    onIdleError: err => log.warn({ err }, 'an idle database connection broke'),
  })
  const sessionEnds = openSessionEnds(channelDb, sessions, log)
  const showing = { ...notifications.showing, ...eventShowing, ...galleryShowing, ...chatShowing }
  const membership = openMembership()
  const realtime = await openRealtime({
    server: server.server,
    db: channelDb,
    config,
    showing,
    membership,
    urlsFor: origin => urlsFor(origin, signer.sign),
    findSession: sessions.findNow,
    presence,
    limits,
    shared,
    log,
  })

  const identities = openIdentities(definitionsOf(config.providers).map(each => openProvider(each, timing)))
  const answers = openAnswers(identities.labelOf)
  const registration = openRegistration(config.registration)
  accountRoutes(serve, serveOpen, { db, limits, media, presence, identities, answers, registration })
  providerRoutes(serve, serveOpen, { identities, answers, registration, corsOrigins: config.corsOrigins })
  providerCallback(server, { db, identities, limits, perNetwork: numbers.signInsPerAddressPerMinute })
  recoveryRoutes(serve, serveOpen, { answers })
  realtimeRoutes(serve, serveOpen, { showing, membership, vapidPublicKey, log })
  notificationRoutes(serve, { privatePushOrigins: config.push.privateOrigins })
  const strangersPerDay = strangersInvitedPerDay * numbers.rateFactor
  eventRoutes(serve, { media, acquaintance: { findableOf, circleOf }, strangersPerDay, codes })
  linkRoutes({ serve, serveOpen, serveEither }, { answers, codes, limits, blockedWith })
  coverRoutes(server, { db, storage, limits, perNetwork: numbers.signInsPerAddressPerMinute })
  linkPictureRoutes(server, { db, limits, perNetwork: numbers.signInsPerAddressPerMinute, urls: urlsOfRequest })
  peopleRoutes(serve, { reportable })
  galleryRoutes(serve, numbers)
  commentRoutes(serve)
  uploadRoutes(serve, {
    media,
    sessionFiles,
    keepVideo: openVideoKeeping(videos, storage, numbers),
    limits: numbers,
  })
  const origin = originOf(config.publicUrl)
  albumRoutes(server, { db, storage, signer, limits, admit, serve })
  await server.register(
    uploadSessionRoutes({ db, admit, sessionFiles, demandFreeDisk, limits: numbers, originOf: origin }),
  )
  chatRoutes(serve, { db, media, membership, whisper: realtime.whisper })
  leavingRoutes(serve, { presence, limits, room: { quotas: numbers, demandFreeDisk } })

  const endWork = async () => {
    // What is on its way ends at once and is tried again, instead of waiting for a service that hangs.
    await push.close()
    videos?.close()
    await Promise.all([jobs.close(), videoJobs?.close()])
  }

  const pools = { requests: db, background, channel: channelDb }
  const measured = counts && {
    counts,
    freeBytes: () => freeBytesOf(mediaDirectory(config)),
    freeBytesMin: numbers.freeBytesMin,
    pools,
    isReady: readiness.isReady,
    sockets: realtime.sockets,
    relayLag: realtime.lag,
  }
  const metrics = measured && (await serveMetrics(config.metrics, server, measured))

  if (webClient) webClientRoutes(server, webClient, openPreviews({ db, urls: urlsOfRequest }))
  refuseTheRest()
  return {
    server,
    metricsAddress: metrics?.address ?? null,
    startDraining() {
      draining = true
    },
    async close() {
      closing.abort()
      const working = endWork()
      await realtime.close()
      await answering.finish(finishAnswersMs)
      await server.close()
      await metrics?.close()
      await notifications.close()
      await working
      mailer.close()
      await readiness.close()
      await sessionEnds.close()
      sessions.close()
      await lastUses.close()
      await background.destroy()
      await channelDb.destroy()
      presence.close()
      shared?.close()
      await pictures.close()
      storage.close()
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
