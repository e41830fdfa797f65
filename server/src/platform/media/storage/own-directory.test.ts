import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/new-folder.ts'
import { readConfig } from '../../../settings/config.ts'
import { openStorage } from './open-storage.ts'

const shared = newFolder('shared')
const settings = (dataDir: string) => ({ DATA_DIR: join(shared, dataDir), MEDIA_DIR: join(shared, 'media') })

/** Another process with the same media directory, in the middle of an upload. */
const neighbour = async (dataDir: string) => {
  const script = `
    import { writeFileSync } from 'node:fs'
    import { readConfig } from ${JSON.stringify(new URL('../../../settings/config.ts', import.meta.url).href)}
    import { openStorage } from ${JSON.stringify(new URL('./open-storage.ts', import.meta.url).href)}
    const storage = await openStorage(readConfig(${JSON.stringify(settings(dataDir))}))
    const { path } = storage.temporary()
    writeFileSync(path, 'half a photo')
    console.log(path)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [path] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, path: path.toString().trim() }
}
const end = async (child: ChildProcess) => {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
const waiting = () => readdirSync(join(shared, 'media', 'tmp'), { recursive: true }).map(String)
const isThere = (path: string) => waiting().some(name => path.endsWith(name) && name.length > 60)

test('a starting process removes the unfinished uploads of dead processes and leaves others’ alone', async () => {
  const [one, other] = [await neighbour('one'), await neighbour('other')]
  const third = await openStorage(readConfig(settings('third')))
  expect([one, other].map(({ path }) => isThere(path))).toEqual([true, true])
  await end(one.child)
  const fourth = await openStorage(readConfig(settings('fourth')))
  expect([one, other].map(({ path }) => isThere(path))).toEqual([false, true])
  for (const storage of [third, fourth]) storage.close()
  await end(other.child)
})
