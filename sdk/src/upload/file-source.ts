/**
 * A file that is read in chunks, for platforms that cannot make a Blob of a file: React Native. It is sent in a
 * session, whatever its size.
 */
export type FileSource = {
  name: string
  size: number
  /** Identifies these bytes, e.g. a checksum: with it, a restarted app continues where it stopped. */
  mark?: string
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}
export const isSource = (file: Blob | FileSource): file is FileSource => 'read' in file

export const nameOf = (file: Blob | FileSource) =>
  'name' in file && typeof file.name === 'string' ? file.name.slice(0, 255) : ''

const sampleBytes = 64 * 1024

/**
 * The same for the same file again, null if nothing distinguishes it from another: it must not continue with different
 * bytes.
 */
export const fingerprintOf = async (context: string, file: Blob | FileSource): Promise<string | null> => {
  if (isSource(file)) return file.mark === undefined ? null : `afterglow ${context} ${file.size} ${file.mark}`
  if (!globalThis.crypto?.subtle) return null
  const ends = new Blob([context, `${nameOf(file)} ${file.size}`, file.slice(0, sampleBytes), file.slice(-sampleBytes)])
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await ends.arrayBuffer()))
  return `afterglow ${Array.from(sum, byte => byte.toString(16).padStart(2, '0')).join('')}`
}
