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
const goodEverywhere = (text: string): string =>
  Array.from(
    text
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, ' ')
      .replace(/\s+/g, ' '),
  )
    .slice(0, charactersMax)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '')
