import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'

/** The accepted containers; `demuxer` is what reads it, whatever the file claims to be. */
export type Container = { type: string; demuxer: 'mov' | 'avi' | 'asf' }

const mp4: Container = { type: 'video/mp4', demuxer: 'mov' }
const mov: Container = { type: 'video/quicktime', demuxer: 'mov' }
const avi: Container = { type: 'video/x-msvideo', demuxer: 'avi' }
const wmv: Container = { type: 'video/x-ms-wmv', demuxer: 'asf' }

const byMime: Record<string, Container> = { 'video/mp4': mp4, 'video/x-m4v': mp4, 'video/quicktime': mov }
const asfHeader = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
const headBytes = 4100

/**
 * Recognises a video's container by its first bytes, never by a name or a declared type; undefined for any other file.
 */
export const tellContainer = async (path: string): Promise<Container | undefined> => {
  const head = await headOf(path)
  if (head.subarray(0, asfHeader.length).equals(asfHeader)) return wmv
  if (head.toString('latin1', 0, 4) === 'RIFF') return head.toString('latin1', 8, 12) === 'AVI ' ? avi : undefined
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found && byMime[found.mime]
}

/** The container for a file type recognised earlier. */
export const containerOf = (type: string): Container => {
  const found = [mp4, mov, avi, wmv].find(each => each.type === type)
  if (!found) throw new Error(`No video of ours is ${type}`)
  return found
}

const headOf = async (path: string) => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
