import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingOf } from '../instance/processes.ts'
import { type MissingTool, missingTool } from '../missing-tool.ts'

export const lacksFilms = (): MissingTool | undefined =>
  missingOf(['ffmpeg']).length > 0 ? missingTool('ffmpeg', 'ffmpeg') : undefined

/** Half a second of a test pattern, in the format of the file name's extension. `title` makes the bytes unique. */
export const filmOf = (ending: string, title = ''): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'afterglow-films-'))
  try {
    const file = join(folder, `a.${ending}`)
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=0.6', '-metadata', `title=${title}`]
    execFileSync('ffmpeg', ['-loglevel', 'error', '-nostdin', ...source, '-pix_fmt', 'yuv420p', file], {
      stdio: 'ignore',
    })
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
