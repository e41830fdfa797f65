import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, vi } from 'vitest'
import * as yauzl from 'yauzl'
import type { Member } from './cast.ts'

/** Requests an export, waits for it, and returns its files by name. */
export const exported = async ({ api }: Pick<Member, 'api'>) => {
  const { id } = await api.privacy.exportAccount()
  await vi.waitFor(
    async () => expect((await api.privacy.readExport({ account_export_id: id })).export_state).toBe('ready'),
    { timeout: 30_000, interval: 50 },
  )
  const ready = await api.privacy.readExport({ account_export_id: id })
  const reply = await fetch(ready.export_url ?? '')
  expect(reply.headers.get('content-disposition')).toBe('attachment')
  const zip = Buffer.from(await reply.arrayBuffer())
  expect(zip.length).toBe(ready.export_bytes)
  const files = new Map<string, Buffer>()
  const opened = await yauzl.fromBufferPromise(zip)
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  const rowsOf = (name: string): Record<string, unknown>[] =>
    JSON.parse(files.get(`${name}.json`)?.toString() ?? 'null')
  const sha256 = createHash('sha256').update(zip).digest('hex')
  return { id, ready, files, rowsOf, sha256, everything: [...files.values()].map(String).join('\n') }
}
