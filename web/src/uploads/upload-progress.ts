import { useMemo } from 'react'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { bytesOf, isDone, isSafe, type Upload } from './upload.ts'
import { sent } from './upload-list.ts'
import { tallies, tallyOf } from './upload-tally.ts'

/** How much of an album's chosen files is sent, and how much is left. */
export const useProgress = (eventId: number, all: readonly Upload[]) => {
  const bytes = useStore(sent)
  const userId = useStore(session)?.userId ?? 0
  const tally = tallyOf(useStore(tallies), { userId, eventId })
  const sums = useMemo(() => sumsOf(all), [all])
  return {
    ...sums,
    tally,
    total: tally.bytes + sums.bytes || 1,
    gone: sums.left.reduce((sum, { at }) => sum + (bytes.get(at) ?? 0), tally.bytes),
  }
}

const sumsOf = (all: readonly Upload[]) => {
  const left = all.filter(each => !isDone(each))
  return {
    left,
    refused: all.filter(({ state }) => state === 'refused'),
    twins: all.filter(each => isSafe(each) && each.twin),
    bytes: left.reduce((sum, upload) => sum + bytesOf(upload), 0),
  }
}
