import type { FreeDisk } from '../media/storage/free-disk.ts'
import type { RateLimits } from './limits.ts'
import { crowdAt, type Viewer } from './viewer.ts'

/** More than anybody types: a hundred messages of the longest kind, or thousands of ordinary ones. */
const bytesPerHour = 1024 * 1024
/** The budget shared by accounts that cost nothing on one network: that of eight people. */
const bytesOfCrowdPerHour = 8 * bytesPerHour
const hourSeconds = 60 * 60

/** How many bytes of text an input holds, at any depth. */
export const textBytesOf = (input: unknown): number => {
  if (typeof input === 'string') return Buffer.byteLength(input)
  if (typeof input !== 'object' || input === null) return 0
  return Object.values(input).reduce((sum: number, each) => sum + textBytesOf(each), 0)
}

/**
 * Text stays in the database, which has no quota of its own. Throws TooMany beyond what one person, or a crowd of them,
 * may write in an hour, and Unavailable if the disk has too little left for it.
 */
export const openTextBudget =
  ({ limits, freeDisk }: { limits: RateLimits; freeDisk: FreeDisk }) =>
  async (viewer: Viewer, network: string, input: unknown) => {
    const bytes = textBytesOf(input)
    if (bytes === 0) return
    await freeDisk.demandForWords(bytes)
    const crowd = crowdAt(viewer, network)
    if (crowd) await limits.spend('wordsOfCrowd', crowd, bytesOfCrowdPerHour, hourSeconds, bytes)
    await limits.spend('words', viewer.id, bytesPerHour, hourSeconds, bytes)
  }
