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

/** What a picture is called when it is saved. */
export const nameToSave = (picture: { id: number; file_name: string | null }, type: string): string =>
  `${picture.file_name ?? `photo ${picture.id}`}.${endingOf(type)}`

/** For a header: ASCII for those that know nothing else. */
export const dispositionOf = (how: 'inline' | 'attachment', name: string): string =>
  `${how}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
