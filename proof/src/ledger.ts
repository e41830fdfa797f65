import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

export type ContentWrite = {
  kind: 'message' | 'comment' | 'photo'
  /** The ID of its chat, photo or event. */
  place: number
  author: number
  key: string
  /** Every text it was meant to hold, in order; for a photo, the hash of its pixels. All texts are unique. */
  texts: string[]
}
/** An acknowledged write. */
export type AcknowledgedWrite = ContentWrite & {
  id: number
  deleted: boolean
  /** A change is still unanswered: both the old and the new text are right. */
  changing: boolean
}

/** Somebody's reaction to a message, or like of a photo. */
export type Mark = { kind: 'reaction' | 'like'; by: number; to: number; emoji?: string }

/**
 * Everything the service has acknowledged, independent of its own records. Each act is written to this disk before it
 * counts, so a crash of the proof cannot make it forget a promise.
 */
export type Ledger = {
  attempt(said: ContentWrite): void
  acknowledge(said: ContentWrite, id: number): AcknowledgedWrite
  /** Records a requested change, and an acknowledged one. */
  changes(one: AcknowledgedWrite, text: string): void
  changed(one: AcknowledgedWrite): void
  deletes(one: AcknowledgedWrite): void
  deleted(one: AcknowledgedWrite): void
  /** Records acts that leave no text of their own. */
  note(mark: Mark): void
  readonly marks: readonly Mark[]
  readonly attempts: ReadonlyMap<string, ContentWrite>
  readonly believed: readonly AcknowledgedWrite[]
  count(): number
  photos(): number
  close(): void
}

export const openLedger = (file: string): Ledger => {
  const opened = openSync(file, 'a', 0o600)
  const attempts = new Map<string, ContentWrite>()
  const believed: AcknowledgedWrite[] = []
  const marks: Mark[] = []
  let count = 0
  const write = (line: object) => writeSync(opened, `${JSON.stringify(line)}\n`)
  const writeForGood = (line: object) => {
    write(line)
    fsyncSync(opened)
    count += 1
  }
  return {
    attempt(said) {
      write({ attempt: said })
      for (const text of said.texts) attempts.set(text, said)
    },
    acknowledge(said, id) {
      writeForGood({ acknowledged: said.key, id })
      const one = { ...said, id, deleted: false, changing: false }
      believed.push(one)
      return one
    },
    changes(one, text) {
      write({ changes: one.id, text })
      one.texts.push(text)
      one.changing = true
      attempts.set(text, one)
    },
    changed(one) {
      writeForGood({ changed: one.id })
      one.changing = false
    },
    deletes(one) {
      write({ deletes: one.id })
      one.changing = true
    },
    deleted(one) {
      writeForGood({ deleted: one.id })
      one.deleted = true
      one.changing = false
    },
    note(mark) {
      writeForGood(mark)
      marks.push(mark)
    },
    marks,
    attempts,
    believed,
    count: () => count,
    photos: () => believed.filter(({ kind }) => kind === 'photo').length,
    close: () => closeSync(opened),
  }
}
