import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One of `demo/photos`, by its name. */
export const picture = async (name: string): Promise<Blob> => {
  const jpeg = await readFile(join(import.meta.dirname, '../photos', `${name}.jpg`))
  return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' })
}
