import type { Logger } from 'pino'
import { joinFoundation } from '../foundation.ts'
import { mediaDirectory } from '../platform/media/storage/open-storage.ts'
import { learnPlaces } from '../platform/process/process-counts.ts'
import { type SharedService, serveFrom } from '../service.ts'
import type { Config } from '../settings/config.ts'
import { isOurs, type ToProcess, type ToSupervisor } from './messages.ts'

/** The variable by which the supervisor tells a process its index, counted from 0. */
export const placeVariable = 'AFTERGLOW_PROCESS_PLACE'

/** Serves as one of several processes behind one port. */
export async function startAsOneOfSeveral(config: Config, log: Logger): Promise<SharedService> {
  const place = Number(process.env[placeVariable])
  whenTold('places', ({ places }) => learnPlaces(places))
  const service = await serveFrom(joinFoundation(config), ofPlace(config, place), log, { builds: place === 0 })
  const { address, postgresVersion, videoTool, walls } = service
  await notifySupervisor({ afterglow: 'serves', serves: { address, postgresVersion, videoTool, walls } })
  return service
}

/** Resolves once it has been handed over, so that the last message is received. */
export const notifySupervisor = (message: ToSupervisor) =>
  new Promise<void>(resolve => {
    process.send?.(message, undefined, undefined, () => resolve())
  })

export const whenHandedOver = (handOver: () => Promise<void>): void => whenTold('hand over', () => void handOver())

type SupervisorMessage<What> = Extract<ToProcess, { afterglow: What }>

function whenTold<What extends ToProcess['afterglow']>(what: What, act: (told: SupervisorMessage<What>) => void): void {
  process.on('message', message => {
    if (isOurs(message) && message.afterglow === what) act(message as SupervisorMessage<What>)
  })
}

/**
 * The resources of one process: a port for its metrics, and a folder for incoming files. Only the first converts
 * videos, one at a time.
 */
const ofPlace = (config: Config, place: number): Config => ({
  ...config,
  work: { ...config.work, films: config.work.films && place === 0 },
  storage: { ...config.storage, directory: mediaDirectory(config) },
  metrics: { ...config.metrics, port: config.metrics.port && config.metrics.port + place },
})
