import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { closed } from '../../test/closed.ts'
import { newFolder } from '../../test/new-folder.ts'
import { whenDone } from '../../test/when-done.ts'
import { closeUntaken, writtenFor } from './cluster-wire.ts'

const folder = newFolder('cluster')
const program = join(folder, 'listens.mjs')
await writeFile(program, `import { createServer } from 'node:net'; createServer(() => {}).listen(0, '127.0.0.1')`)

const started = async () => {
  cluster.setupPrimary({ exec: program, execArgv: [], args: [] })
  const worker: Worker = cluster.fork()
  const sent = vi.spyOn(worker.process, 'send')
  const heard: Record<string, unknown>[] = []
  worker.process.on('internalMessage', message => heard.push(message))
  closeUntaken(worker)
  whenDone(() => void worker.process.kill('SIGKILL'))
  const [{ port }] = (await once(worker, 'listening')) as [AddressInfo]
  const handed = () => sent.mock.calls.filter(([message]) => (message as { act?: string }).act === 'newconn')
  return { worker, port, handed, heard }
}

test('the protocol matches this version of Node', () => {
  expect(writtenFor).toContain(Number(process.versions.node.split('.')[0]))
})

test('a connection goes as `newconn` with a `seq`, and is answered by its `ack`', async () => {
  const { port, handed, heard } = await started()
  const client = connect(port, '127.0.0.1')
  whenDone(() => void client.destroy())
  await expect.poll(handed).toHaveLength(1)
  const [message, connection] = handed()[0] as unknown as [object, object]
  expect(message).toMatchObject({ act: 'newconn', seq: expect.any(Number) })
  expect(connection).toMatchObject({ close: expect.any(Function) })
  const { seq } = message as { seq: number }
  await expect.poll(() => heard.find(({ ack }) => ack === seq)).toMatchObject({ accepted: true })
})

test('a connection handed to a process that dies before accepting it is closed', async () => {
  const { worker, port, handed } = await started()
  worker.process.kill('SIGSTOP')
  const client = connect(port, '127.0.0.1')
  whenDone(() => void client.destroy())
  const gone = closed(client)
  await expect.poll(handed).toHaveLength(1)
  worker.process.kill('SIGKILL')
  await gone
})

test('no other file reads those messages', async () => {
  const others = (await readdir(import.meta.dirname)).filter(name => !name.startsWith('cluster-wire.'))
  const texts = await Promise.all(others.map(name => readFile(join(import.meta.dirname, name), 'utf8')))
  expect(texts.filter(text => /internalMessage|newconn/.test(text))).toEqual([])
})
