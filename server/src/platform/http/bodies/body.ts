import type { ReceivedFile } from '../../media/received-file.ts'

/** A request's body, whatever its encoding. Its files are temporaries until the request has been answered. */
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

/** Maximum length of a form without files, and of any form's text fields. */
export const formBytesMax = 256 * 1024
