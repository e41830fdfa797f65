import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enter } from './cast.ts'
import { newFolder } from './new-folder.ts'
import { type Node, openNodes } from './nodes.ts'
import { evening } from './party.ts'
import { png } from './pictures.ts'

const folder = newFolder('shared-secrets')

const nodes = await openNodes({ SECRETS_FILE: join(folder, 'secrets.json') })
const keyOf = async (node: Node) => (await node.as().notifications.readRealtimeConfig()).vapid_public_key

test('machines that share a file of secrets accept each other’s links and are one to the push services', async () => {
  const other = await nodes.another()
  const olivia = await enter(nodes.first, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const image = new Blob([await png({ width: 24, height: 16, seed: 3 })])
  const { event_photo_url: link } = await olivia.api.gallery.uploadPhoto({ event_id, image })
  // Files that machines would share by a common disk or S3.
  cpSync(join(nodes.homeOf(1), 'media'), join(nodes.homeOf(2), 'media'), { recursive: true })
  const there = await fetch(link.replace(nodes.first.url, other.url))
  expect(there.status).toBe(200)
  expect(await there.bytes()).toEqual(await fetch(link).then(reply => reply.bytes()))

  expect(await keyOf(other)).toBe(await keyOf(nodes.first))
})

test('machines with secrets of their own refuse each other’s links', { tags: 'slow' }, async () => {
  const apart = await openNodes()
  expect(await keyOf(await apart.another({ SECRETS_FILE: '' }))).not.toBe(await keyOf(apart.first))
})
