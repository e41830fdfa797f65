import { plainName } from '@afterglow/contract/plain-names'
import { Unreadable } from '../refusals.ts'
import { charsetOf } from './charset.ts'

/** The parsed headers of a form's part. */
export type PartHead = { name: string; filename: string | undefined; type: string; charset: string | undefined }

type Header = Readonly<Record<string, readonly string[] | undefined>>

const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"?|([^;"\s]*))/g
const harmless = /^(?:7bit|8bit|binary)$/i

/** Throws Unreadable for a part that would otherwise be dropped, or taken for something else. */
export const partHead = (header: Header): PartHead => {
  const disposition = header['content-disposition']?.[0] ?? ''
  if (!/^\s*form-data\s*(?:;|$)/i.test(disposition)) throw new Unreadable('A part of the form is no form-data.')
  const transfer = header['content-transfer-encoding']?.[0]?.trim() ?? 'binary'
  if (!harmless.test(transfer)) throw new Unreadable('The transfer encoding of a part of the form is not supported.')
  const { name, filename, 'filename*': extended } = parametersOf(disposition)
  if (name === undefined || /[\r\n]/.test(name)) throw new Unreadable('A part of the form has no name.')
  const mediaType = header['content-type']?.[0]
  return {
    name,
    filename: lastOfPath((extended && fromExtended(extended)) ?? filename),
    type: mediaType?.split(';', 1)[0]?.trim().toLowerCase() || 'text/plain',
    charset: charsetOf(mediaType),
  }
}

/** A header's bytes are read as Latin-1, but are UTF-8. */
const asUtf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString()

const parametersOf = (disposition: string): Record<string, string | undefined> => {
  const found: Record<string, string> = Object.create(null)
  for (const [, key = '', quoted, bare] of disposition.matchAll(parameter))
    found[key.toLowerCase()] = asUtf8(quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '')
  return found
}

/** `UTF-8''na%C3%AFve.jpg` (RFC 5987). Anything else than UTF-8 is left to the plain name. */
const fromExtended = (value: string) => {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value)?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const lastOfPath = (filename: string | undefined) =>
  filename === undefined ? undefined : plainName(filename.split(/[\\/]/).at(-1) ?? '')
