import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSigner } from './signed-url.ts'

const key = randomBytes(32)
const signer = openSigner({ id: 'k1', key })
const media = { object: 12, variant: 'display', epoch: 3 }
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 20, 12)

const queryOf = (url: string) => Object.fromEntries(new URL(url, 'http://x/').searchParams) as Record<string, string>

describe('a signed media URL', () => {
  it('a signed URL has the documented form and opens its object', () => {
    const url = signer.sign(media)
    expect(url).toMatch(/^media\/12\/display\?e=\d{10}&k=k1&s=[A-Za-z0-9_-]{43}$/)
    expect(signer.verify(media, queryOf(url))).toBe(true)
  })

  it('a signed URL is the same string for six hours with the same key, and then changes', () => {
    const other = openSigner({ id: 'k1', key })
    const url = signer.sign(media, noon)
    expect(signer.sign(media, noon + 6 * hour - 1)).toBe(url)
    expect(other.sign(media, noon + 3 * hour)).toBe(url)
    expect(signer.sign(media, noon + 6 * hour)).not.toBe(url)
    expect(signer.sign(media, noon)).toBe(url)
  })

  it.each([0, 1, 3 * hour, 6 * hour - 1])(
    'a signed URL lives between 6 and 12 hours (made %i ms into a window)',
    into => {
      const now = noon + into
      const left = Number(queryOf(signer.sign(media, now)).e) * 1000 - now
      expect(left).toBeGreaterThan(6 * hour)
      expect(left).toBeLessThanOrEqual(12 * hour)
    },
  )

  it('a signed URL is dead at its expiry', () => {
    const query = queryOf(signer.sign(media, noon))
    const expiry = Number(query.e) * 1000
    expect(signer.verify(media, query, expiry - 1)).toBe(true)
    expect(signer.verify(media, query, expiry)).toBe(false)
  })

  it('a signed URL opens no other object, variant or epoch', () => {
    const query = queryOf(signer.sign(media))
    expect(signer.verify({ ...media, object: 13 }, query)).toBe(false)
    expect(signer.verify({ ...media, variant: 'preview' }, query)).toBe(false)
    expect(signer.verify({ ...media, epoch: 4 }, query)).toBe(false)
  })

  it('a signed URL cannot be changed, nor made with another key', () => {
    const query = queryOf(signer.sign(media)) as { e: string; k: string; s: string }
    const later = String(Number(query.e) + 21_600)
    const flipped = (query.s.startsWith('A') ? 'B' : 'A') + query.s.slice(1)
    // The last character holds two bits that decoding drops: this text means the same bytes.
    const last = query.s.at(-1) as string
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const twin = query.s.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1]
    const forged = queryOf(openSigner({ id: 'k1', key: randomBytes(32) }).sign(media))
    for (const wrong of [
      { ...query, e: later },
      { ...query, k: 'k2' },
      { ...query, s: flipped },
      { ...query, s: twin },
      { ...query, s: `${query.s}=` },
      { ...query, s: query.s.slice(1) },
      { ...query, s: '' },
      { ...query, s: 'ÿ'.repeat(43) },
      { ...query, s: [query.s, query.s] },
      { ...query, e: `0${query.e}` },
      { ...query, e: `${query.e}.0` },
      { ...query, e: '1e10' },
      { ...query, e: '99999999999999999999' },
      { e: query.e, k: query.k },
      {},
      forged,
    ]) {
      expect(signer.verify(media, wrong), JSON.stringify(wrong)).toBe(false)
    }
  })
})
