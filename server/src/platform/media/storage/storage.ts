import type { Readable } from 'node:stream'

/**
 * A place for a file that is not stored yet: local, private (0600), gone when removed or put. `remove` never throws: it
 * must not decide how a request ends.
 */
export type Temporary = { path: string; remove(): Promise<void> }

/** Both ends inclusive, in bytes; the caller has checked it against the length. */
export type ByteRange = { start: number; end: number }

export type StoredFile = { sha256: string; bytes: number; storedAt: Date }

/**
 * Files by the SHA-256 of their bytes (64 lower-case hex digits), so that equal files are one file and a file never
 * changes. Only remove a file that no row names any more.
 */
export type Storage = {
  /** A fresh path; nothing is created yet. Create it with flag `wx` and mode 0600. */
  temporary(): Temporary
  /**
   * Takes the temporary file and returns when it would survive a power cut. Putting equal bytes again is harmless.
   * Throws `StorageFailed`; the temporary is gone in either case.
   */
  put(temporaryPath: string, sha256: string): Promise<void>
  /** `bytes` is the length of the stream. The caller reads it to its end or destroys it. Throws `NotStored`. */
  open(sha256: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }>
  has(sha256: string): Promise<boolean>
  /** The stored file, or null; its age counts from its latest put. Throws `StorageFailed`. */
  find(sha256: string): Promise<StoredFile | null>
  /** Removing something that does not exist is not an error. */
  remove(sha256: string): Promise<void>
  /** Every stored file, in no order, for the sweeper; the same one may come twice while an instance moves. */
  stored(): AsyncIterable<StoredFile>
  /** Removes leftovers of unfinished puts older than this; returns their number. */
  dropUnfinished(before: Date): Promise<number>
  /** Closes connections; it is not used any more. */
  close(): void
}

export const isAddress = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** Throws `NotStored` for anything that is not the hash of a file. */
export function demandAddress(text: string): void {
  if (!isAddress(text)) throw new NotStored(`Not an address: ${JSON.stringify(text)}`)
}

export class NotStored extends Error {
  override name = 'NotStored'
}

/** The storage cannot do its work: `full` (no space, quota) or `failing` (device errors, read-only). */
export class StorageFailed extends Error {
  override name = 'StorageFailed'
  reason: 'full' | 'failing'

  constructor(reason: 'full' | 'failing', cause: unknown) {
    super(reason === 'full' ? 'The storage is full.' : 'The storage is failing.', { cause })
    this.reason = reason
  }
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const failing = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ENOENT'])

/** A system error of reading or writing as `StorageFailed`; anything else unchanged. */
export function storageFailure(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? ''
  if (full.has(code)) return new StorageFailed('full', error)
  if (failing.has(code)) return new StorageFailed('failing', error)
  return error
}
