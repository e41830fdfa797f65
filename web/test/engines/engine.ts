import type { Tool } from '../../../server/test/tools.ts'
import type { Driver } from './driver.ts'

export type Size = { width: number; height: number; phone: boolean }
export type OpenedBrowser = { driver: Driver; close(): Promise<void> }

/** A browser other than Chromium. */
export type Engine = {
  name: string
  tool: Tool
  /** A window of its own, with a fresh profile. */
  open(size: Size): Promise<OpenedBrowser>
}
