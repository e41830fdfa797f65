import { existsSync, writeFileSync } from 'node:fs'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import { missingOf } from './processes.ts'

/** The wall clock of one process, which can be shifted while it runs. Its monotonic clock stays right. */
export type Clock = {
  /** Set for the process before it starts. */
  env: Record<string, string>
  /** Seconds ahead of the machine's clock; negative: behind it. */
  shift(seconds: number): void
}

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`

export const lacksClock = (): MissingTool | undefined =>
  missingOf(['faketime']).length > 0 || !existsSync(library) ? missingTool('faketime', 'faketime') : undefined

export const openClock = (file: string): Clock => {
  const shift = (seconds: number) =>
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${Math.round(seconds)}\n`, { mode: 0o644 })
  shift(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
    },
    shift,
  }
}
