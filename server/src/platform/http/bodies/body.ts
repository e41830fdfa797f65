import type { ReceivedFile } from '../../media/received-file.ts'

/** A request's body, however it was encoded. Its files are temporaries until the request has been answered. */
export type Body = {
  fields: Record<string, unknown>
  files: Record<string, ReceivedFile[]>
  /** File fields that held a file too large to keep. */
  tooLarge: Set<string>
}

export const bodyOf = (fields: Record<string, unknown>): Body => ({ fields, files: {}, tooLarge: new Set() })

export const discard = async (body: Body | undefined) => {
  for (const list of Object.values(body?.files ?? {})) await Promise.all(list.map(file => file.remove()))
}

/** The names of an operation's fields that are lists. */
export type Lists = ReadonlySet<string> | undefined

/**
 * Adds a field of a form or a query. `name[]`, `name[0]` and `name.0` are items of a list. Of a plain name given twice
 * the last counts, unless the operation takes a list there.
 */
export const addField = (fields: Record<string, unknown>, name: string, value: unknown, lists: Lists) => {
  const key = plainName(name)
  if (key === '__proto__') return
  const isItem = key !== name || (lists?.has(key) ?? false)
  const before = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (isItem && Array.isArray(before)) before.push(value)
  else fields[key] = isItem ? [value] : value
}
export const plainName = (name: string) => name.replace(/(?:\[\d{0,4}\]|\.\d{1,4})$/, '')
/** What a name with parts behind it belongs to, as in `attachments[0][file]`. */
export const baseName = (name: string) => /^[^.[]*/.exec(name)?.[0] ?? name

/** Maximum length of a form without files, and of any form's text fields. */
export const formBytesMax = 256 * 1024
