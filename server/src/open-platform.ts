import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Timing } from './notifications/engine.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { readBodies } from './platform/http/bodies/bodies.ts'
import type { Receive } from './platform/http/bodies/multipart.ts'
import { openOpenBodies } from './platform/http/bodies/open-bodies.ts'
import { openAnswering } from './platform/http/connections/shutdown.ts'
import { openRateLimits } from './platform/http/limits.ts'
import { openServer, originOf } from './platform/http/server.ts'
import { openTextBudget } from './platform/http/text-budget.ts'
import { holderOf, urlsFor } from './platform/http/urls.ts'
import { openMailer } from './platform/mail/mailer.ts'
import { openFullSizes } from './platform/media/full-size.ts'
import { openPictures } from './platform/media/pictures/picture.ts'
import { receive } from './platform/media/received-file.ts'
import { openSigner, type Signer } from './platform/media/signed-url.ts'
import { type FreeDisk, openFreeDisk } from './platform/media/storage/free-disk.ts'
import { mediaDirectory, openStorage } from './platform/media/storage/open-storage.ts'
import type { WhenUnreachable } from './platform/media/storage/s3.ts'
import { openSessionFiles } from './platform/media/storage/session-files.ts'
import { openSessionParts } from './platform/media/storage/session-parts.ts'
import type { Storage } from './platform/media/storage/storage.ts'
import { openMedia } from './platform/media/store-picture.ts'
import {
  type Counts,
  countAnswers,
  countMails,
  countPushes,
  countUploads,
  openCounts,
} from './platform/metrics/counts.ts'
import type { Traces } from './platform/observability/traces.ts'
import type { PublishedTiming } from './platform/openid/published.ts'
import { openSiblings } from './platform/process/sibling-processes.ts'
import { say } from './platform/process/terminal.ts'
import type { Push } from './platform/push/senders.ts'
import { instanceName, openRedis } from './platform/redis/redis.ts'
import type { Secrets } from './platform/secrets/secrets.ts'
import { framePixelsMax } from './platform/video/film.ts'
import type { FoundTool } from './platform/video/find-tool.ts'
import { openVideos } from './platform/video/videos.ts'
import type { WebClient } from './platform/web-client/open.ts'
import type { Config } from './settings/config.ts'

/** The options with which the service is opened. */
export type PlatformOptions = {
  config: Config
  db: Database
  /** The same database, for work apart from requests on connections of its own. */
  databaseUrl: string
  secrets: Pick<Secrets, 'media'>
  /** Browsers need it to subscribe to pushes. */
  vapidPublicKey: string
  push: Push
  /** The tool that converts videos; if undefined, videos are refused. */
  video?: FoundTool | undefined
  /** Served at `/`; nothing if undefined. */
  webClient?: WebClient
  traces?: Traces | undefined
  /** In tests: shorter delays. */
  timing?: Partial<Timing & PublishedTiming>
  log: FastifyBaseLogger
  /** Called before the first read from the tables, once no setting can refuse the start any more. */
  prepareTables?: () => Promise<void>
  /** In tests: parse every reply against the contract before sending it. */
  checkReplies?: boolean
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>

/** Everything without knowledge of the product, in dependency order. */
export const openPlatform = async (opening: PlatformOptions) => {
  const { config, db, databaseUrl, secrets, video, traces, log } = opening
  const numbers = config.limits
  const server = await openServer(config, log)
  traces?.ofRequests(server)
  const answering = openAnswering(server)
  const counts = config.metrics.port !== null || config.metrics.token !== null ? await openCounts() : undefined
  if (counts) countAnswers(server, counts)
  const push = counts ? countPushes(opening.push, counts) : opening.push

  const storage = await openStorage(config, { whenUnreachable })
  const sessionFiles = await openUploadSessions(opening, storage)
  const pictures = openPictures({ storage, log })
  const videoLimits = { secondsMax: numbers.videoSecondsMax, pixelsMax: framePixelsMax }
  const videos = video && openVideos({ ...video, storage, pictures, limits: videoLimits })
  const signer = openSigner(secrets.media)
  const freeDisk = openFreeDisk(mediaDirectory(config), numbers.freeBytesMin)
  readBodies(server, {
    receive: receiving(storage, freeDisk, counts),
    limits: numbers,
    bodies: openOpenBodies(),
  })

  const shared = await openShared(opening)
  const neighbours = openSiblings()
  const limits = openRateLimits(numbers.rateFactor, shared, neighbours)
  const { background, channelDb } = openDatabasesApart(databaseUrl, log)
  const uncounted = openMailer({ ...config.mail, folder: join(config.dataDir, 'mail'), log })
  const mailer = counts ? countMails(uncounted, counts) : uncounted
  const addressedTo = originOf(config)

  /** At the end of the grace period: uploads whose files are still being read are told to retry. */
  const endReading = async () => {
    videos?.close()
    await pictures.close()
  }

  return {
    ...opening,
    server,
    answering,
    counts,
    push,
    storage,
    sessionFiles,
    videos,
    signer,
    demandFreeDisk: freeDisk.demand,
    hasRoomForWords: freeDisk.hasRoomForWords,
    spendTextBudget: openTextBudget({ limits, freeDisk }),
    shared,
    neighbours,
    background,
    channelDb,
    mailer,
    /** The operator's limits; `limits` enforces them. */
    numbers,
    limits,
    pictures,
    media: openMedia(pictures, storage, numbers),
    fullSizes: openFullSizes({ db, storage, pictures, pixelsMax: numbers.photoPixelsMax }),
    originOf: ({ raw }: FastifyRequest) => addressedTo(raw),
    urls: urlsOf(config, signer),
    perNetwork: numbers.signInsPerAddressPerMinute,
    /** Requests waiting for a service that hangs end at once, and the next process retries them. */
    async endWaits() {
      await push.close()
      videos?.stopConverting()
    },
    endReading,
    async closePlatform() {
      mailer.close()
      await background.destroy()
      await channelDb.destroy()
      shared?.close()
      await endReading()
      storage.close()
    },
  }
}

const whenUnreachable: WhenUnreachable = ({ message }) =>
  say(`${message} Photos and videos are off until it answers; everything else is served.`)

/** Unfinished uploads: files on disk, or parts in another storage. */
const openUploadSessions = ({ config, db }: PlatformOptions, storage: Storage) =>
  config.storage.at === 'disk' && config.storage.from === null
    ? openSessionFiles(join(mediaDirectory(config), 'sessions'), storage)
    : openSessionParts(db, storage)

/** Streams a file to a temporary, as long as the disk has room. */
const receiving = (storage: Storage, freeDisk: FreeDisk, counts: Counts | undefined): Receive => {
  const take = counts ? countUploads(receive, counts) : receive
  return async (stream, most) => {
    // Nobody listens for errors before the first read: an interruption would be an uncaught exception.
    stream.on('error', () => {})
    await freeDisk.demand()
    return take(stream, most, storage)
  }
}

const openShared = async ({ config, db, log }: PlatformOptions) =>
  config.redisUrl === null
    ? undefined
    : openRedis(config.redisUrl, config.redisPrefix ?? `afterglow:${await instanceName(db)}`, log)

/** Separate connections, for jobs and the channel. */
const openDatabasesApart = (url: string, log: PlatformOptions['log']) => {
  const onIdleError = (err: Error) => log.warn({ err }, 'an idle database connection broke')
  return {
    background: openDatabase(url, { connections: 4, name: 'afterglow background', onIdleError }),
    channelDb: openDatabase(url, { connections: 4, name: 'afterglow relay', plansOnce: true, onIdleError }),
  }
}

const urlsOf = (config: Config, { sign, holding }: Signer) => {
  const origin = originOf(config)
  return (request: FastifyRequest) =>
    urlsFor(origin(request.raw), sign, request.viewer ? holding(holderOf(request.viewer)) : '')
}
