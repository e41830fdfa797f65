import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { given, serveOn } from './ceiling.ts'

/** A body piped into a file and synced, and nothing else. */
const directory = given.directory ?? ''
await mkdir(directory, { recursive: true })
const server = createServer(async (request, reply) => {
  const path = join(directory, randomUUID())
  await pipeline(request, createWriteStream(path))
  const file = await open(path)
  await file.sync()
  await file.close()
  await rm(path)
  reply.writeHead(204).end()
})
await serveOn({
  listen: at =>
    new Promise(resolve => {
      server.listen(at.port, at.host, () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`))
    }),
})
