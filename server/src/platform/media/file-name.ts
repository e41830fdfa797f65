import { createHash } from 'node:crypto'
import { endingOf } from './endings.ts'

/*
 * Names that people's devices give to files, made good for every file system: without directories, what Windows forbids,
 * what shows as something else (controls, marks that turn text around), and the ending, as ours follows from the content.
 */

const charactersMax = 80
// The names of devices, whatever their ending.
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i

/** What a device called a file, without its ending; null when that leaves nothing. */
export const plainFileName = (name: string | null | undefined): string | null => {
  const last = (name ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = goodEverywhere(last.replace(/\.[^. ]{1,5}$/, ''))
  return plain === '' || reserved.test(plain.split('.')[0] as string) ? null : plain
}

/** A text as a part of a file's name; perhaps empty. */
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

/** The same in at most so many bytes of UTF-8, as file systems count a name's. */
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
 * Gives files of one folder names that nobody else has, whatever the case: `a.jpg`, `a (2).jpg`, and files that belong together
 * one number. Returns the name without ending. It remembers hashes, as an album may have hundreds of thousands of names; two
 * names of one hash cost a number more.
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

/** What a picture is called when it is saved. */
export const nameToSave = (picture: { id: number; file_name: string | null }, type: string): string =>
  `${picture.file_name ?? `photo ${picture.id}`}.${endingOf(type)}`

/** For a header: ASCII for those that know nothing else. */
export const dispositionOf = (how: 'inline' | 'attachment', name: string): string =>
  `${how}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
