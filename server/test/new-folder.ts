import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenDone } from './when-done.ts'

/** A temporary folder for a test or a file, removed at its end. */
export const newFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `afterglow-${name}-`))
  whenDone(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
