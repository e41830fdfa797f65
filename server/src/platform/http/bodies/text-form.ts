import type { FileField } from '@afterglow/contract/route'
import { addField, type Lists, plainName } from './body.ts'
import { decodeText } from './charset.ts'

/*
 * A small multipart form of plain text fields, as used for sending a message, parsed at once from its bytes: 3 µs,
 * where the streaming parser takes 60. Anything that is not exactly such a form is left to that parser, and refused by
 * it.
 */

const boundaryOf = /^multipart\/form-data; ?boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))$/i
const plainField = /^content-disposition: form-data; name="([\w[\]-]{1,100})"$/i
const partsMax = 50
const lineEnd = '\r\n'
const headersEnd = Buffer.from('\r\n\r\n')

type Taken = { lists?: Lists; files?: Readonly<Record<string, FileField>> }

/** The fields of a form, or undefined if it is not plain. `contentType` is the request's header. */
export const readTextForm = (
  contentType: string,
  bytes: Buffer,
  { lists, files = {} }: Taken = {},
): Record<string, unknown> | undefined => {
  const named = boundaryOf.exec(contentType)
  if (!named) return undefined
  const delimiter = Buffer.from(`${lineEnd}--${named[1] ?? named[2]}`)
  // The first delimiter lacks the preceding line break that the others have.
  if (!bytes.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) return undefined

  const fields: Record<string, unknown> = {}
  let at = delimiter.length - 2
  for (let parts = 0; parts <= partsMax; parts++) {
    const after = bytes.toString('latin1', at, at + 2)
    if (after === '--') return parts > 0 && isRest(bytes, at + 2) ? fields : undefined
    if (after !== lineEnd) return undefined
    const headers = bytes.indexOf(headersEnd, at)
    const end = bytes.indexOf(delimiter, at)
    if (headers === -1 || end < headers + headersEnd.length) return undefined
    const name = plainField.exec(bytes.toString('latin1', at + 2, headers))?.[1]
    if (!name || Object.hasOwn(files, plainName(name))) return undefined
    addField(fields, name, decodeText(bytes.subarray(headers + headersEnd.length, end)), lists)
    at = end + delimiter.length
  }
  return undefined
}

const isRest = (bytes: Buffer, at: number) => at === bytes.length || bytes.toString('latin1', at) === lineEnd
