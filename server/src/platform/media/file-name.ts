import { createHash } from 'node:crypto'
import { endingOf } from './file-extensions.ts'

/*
 * File names from people's devices, made safe for every file system: without directories, characters forbidden on
 * Windows, characters that change how it displays (controls, direction marks), and the extension, since ours follows
 * from the content.
 */

const charactersMax = 80
// Device names, with any extension.
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i

/** A device's name for a file, without its extension; null if that leaves nothing. */
export const plainFileName = (name: string | null | undefined): string | null => {
  const last = (name ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = goodEverywhere(last.replace(/\.[^. ]{1,5}$/, ''))
  return plain === '' || reserved.test(plain.split('.')[0] as string) ? null : plain
}

/** A text as part of a file name; possibly empty. */
export const goodEverywhere = (text: string): string =>
  Array.from(
    text
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, ' ')
      .replace(/\s+/g, ' '),
  )
    .slice(0, charactersMax)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '')

/** The same in at most this many bytes of UTF-8, which is how file systems limit names. */
export const shortened = (text: string, bytesMax: number): string => {
  let short = ''
  let bytes = 0
  for (const { segment } of graphemes.segment(goodEverywhere(text))) {
    bytes += Buffer.byteLength(segment)
    if (bytes > bytesMax) break
    short += segment
  }
  return short.replace(/[. ]+$/, '')
}
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Gives files in one folder unique names regardless of case: `a.jpg`, `a (2).jpg`; files that belong together get the
 * same number. Returns the name without an extension. It remembers hashes, because an album may have hundreds of
 * thousands of names; a hash collision only costs an extra number.
 */
export const numbered = () => {
  const taken = new Set<number>()
  const lastOf = new Map<number, number>()
  return (name: string, ...endings: readonly string[]): string => {
    const base = hashOf(`${name}.${endings[0]}`)
    for (let number = lastOf.get(base) ?? 1; ; number++) {
      const tried = number === 1 ? name : `${name} (${number})`
      const hashes = endings.map(ending => hashOf(`${tried}.${ending}`))
      if (hashes.some(hash => taken.has(hash))) continue
      for (const hash of hashes) taken.add(hash)
      if (number > 1) lastOf.set(base, number)
      return tried
    }
  }
}
const hashOf = (name: string) =>
  createHash('sha256').update(name.normalize('NFKC').toLowerCase()).digest().readUIntBE(0, 6)

/** A picture's file name for saving. */
export const nameToSave = (picture: { id: number; file_name: string | null }, type: string): string =>
  `${picture.file_name ?? `photo ${picture.id}`}.${endingOf(type)}`

/** For a header: ASCII for clients that support nothing else. */
export const dispositionOf = (how: 'inline' | 'attachment', name: string): string =>
  `${how}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
