import { existsSync, writeFileSync } from 'node:fs'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import { missingOf } from './processes.ts'

/** The clock of one process, which goes as it is told while it runs. What passes is counted as on every machine. */
export type Clock = {
  /** For the process, before it starts. */
  env: Record<string, string>
  /** So many seconds ahead of the machine; behind it, below zero. */
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
