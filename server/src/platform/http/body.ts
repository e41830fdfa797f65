import type { ReceivedFile } from '../media/received-file.ts'

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

/**
 * `name[]` and `name[0]` are list items of `name`; repeating the plain name also makes a list, for the schema to judge.
 */
export const addField = (fields: Record<string, unknown>, name: string, value: unknown) => {
  const key = plainName(name)
  if (key === '__proto__') return
  const before = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (Array.isArray(before)) before.push(value)
  else if (before !== undefined) fields[key] = [before, value]
  else fields[key] = key === name ? value : [value]
}
export const plainName = (name: string) => name.replace(/\[\d{0,4}\]$/, '')

/** Maximum length of a form without files, and of any form's text fields. */
export const formBytesMax = 256 * 1024
