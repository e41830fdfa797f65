import * as yauzl from 'yauzl'

/** The files of a zip, read by an independent reader. */
export const filesIn = async (zip: Buffer) => {
  const opened = await yauzl.fromBufferPromise(zip)
  const files: { name: string; at: string; content: Buffer }[] = []
  for await (const entry of opened.eachEntry()) {
    const content = Buffer.concat(await (await opened.openReadStreamPromise(entry)).toArray())
    const at = entry.getLastModDate({ timezone: 'UTC' }).toISOString()
    files.push({ name: entry.fileName, at, content })
  }
  return files
}
