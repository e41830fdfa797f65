import type { Logger } from 'pino'
import { CannotStart } from '../process/cannot-start.ts'
import { pathOf } from '../process/find-program.ts'
import { type Confinement, openConfinement } from '../sandbox/confinement.ts'
import { openFfmpeg } from './ffmpeg-tool.ts'
import { openNodeAv } from './node-av-tool.ts'
import type { VideoTool } from './tool.ts'

/** The sandbox is determined in idle time: its trial runs when nobody else wants the processor. */
export type FoundTool = { tool: VideoTool; confinement: Confinement | Promise<Confinement> }

/**
 * Finds the video converter of this host: the configured ffmpeg, else the one in PATH, else node-av; undefined if none
 * works. Throws CannotStart if a configured one does not.
 */
export const findVideoTool = async (
  ffmpegPath: string | null,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<FoundTool | undefined> => {
  const tool = await chooseTool(ffmpegPath, log)
  if (!tool) return undefined
  return { tool, confinement: confine(tool, log) }
}

async function confine({ name, trial }: VideoTool, log: Pick<Logger, 'info' | 'warn'>): Promise<Confinement> {
  const confinement = await openConfinement(trial)
  const { sandboxed, why } = confinement
  if (!sandboxed) log.warn({ why }, 'videos are converted without a sandbox; the limits of time, memory and size hold')
  log.info({ tool: name, sandboxed }, 'videos are converted')
  return confinement
}

const chooseTool = async (configured: string | null, log: Pick<Logger, 'warn'>) => {
  if (configured !== null) {
    const tool = await openFfmpeg(configured)
    if (typeof tool === 'string') throw new CannotStart(`FFMPEG_PATH cannot be used: ${tool}.`)
    return tool
  }
  const path = await pathOf('ffmpeg')
  const why = []
  for (const open of [() => (path ? openFfmpeg(path) : 'there is no ffmpeg in PATH'), openNodeAv]) {
    const tool = await open()
    if (typeof tool !== 'string') return tool
    why.push(tool)
  }
  log.warn({ why }, 'nothing here converts videos: uploads of videos are refused')
  return undefined
}
