import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packagesWith } from '../process/find-program.ts'
import type { Command } from '../sandbox/confinement.ts'
import type { NodeAvTask } from './node-av-worker.ts'
import type { VideoTool } from './tool.ts'

const program = fileURLToPath(new URL('./node-av-worker.ts', import.meta.url))

/** Node's heaps and threads, most of them never touched. */
const nodeBytes = 1024 ** 3

/**
 * The same libraries bound to Node, for a host without ffmpeg: in a separate process too. Or a sentence saying why not.
 */
export const openNodeAv = async (): Promise<VideoTool | string> => {
  const packages = packagesWith('node-av')
  if (!packages) return 'the optional package node-av is not installed'
  const node = realpathSync(process.execPath)
  const needs = [dirname(node), packages, dirname(program)]
  const command = (task: NodeAvTask): Command => ({
    file: node,
    args: ['--max-old-space-size=256', program, JSON.stringify(task)],
    needs,
    ownBytes: nodeBytes,
  })
  const { file, args } = command({ act: 'version' })
  const version = await promisify(execFile)(file, args, { env: {}, timeout: 60_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
  if (!version) return 'the optional package node-av does not run here'
  return {
    name: `node-av with FFmpeg ${version}`,
    trial: command({ act: 'version' }),
    inspection: (source, { demuxer }) => command({ act: 'inspect', source, demuxer }),
    conversion: (source, { demuxer }, target, plan) => command({ act: 'convert', source, demuxer, target, plan }),
    still: (source, { demuxer }, target) => command({ act: 'still', source, demuxer, target }),
  }
}
