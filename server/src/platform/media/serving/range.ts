import type { ByteRange } from '../storage/storage.ts'

/**
 * Parses a `Range` header for `length` bytes: one range, `null` for the whole (no header, another unit, several ranges,
 * nonsense: a server may ignore those), or `unsatisfiable` (416).
 */
export function readRange(header: string | undefined, length: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=[ \t]*([0-9]{0,16})-([0-9]{0,16})[ \t]*$/i.exec(header ?? '')
  if (!match) return null
  const [, first, last] = match
  if (!first && !last) return null
  if (!first) return lastBytes(Number(last), length)
  const start = Number(first)
  const end = last ? Number(last) : length - 1
  if (last && end < start) return null
  if (start >= length) return 'unsatisfiable'
  return { start, end: Math.min(end, length - 1) }
}

function lastBytes(count: number, length: number): ByteRange | 'unsatisfiable' {
  if (count === 0 || length === 0) return 'unsatisfiable'
  return { start: Math.max(0, length - count), end: length - 1 }
}

/** Tells whether `If-None-Match` names this strong tag (weak comparison, as that header requires). */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  return header.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
