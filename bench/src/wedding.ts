import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Fixture } from './fixture.ts'
import { ask, messageTo } from './people.ts'
import { openHost } from './phones.ts'
import { startService } from './service.ts'
import { openUploads } from './uploads.ts'

/** The common start of all evenings. */
export type Wedding = { dataDir: string; event: number; chat: number; code: string; page: string; album: number }

/** A new service with an event, its chat and its album. */
export const prepareWedding = async ({ scratch, quick }: Fixture): Promise<Wedding> => {
  const dataDir = `${scratch}/wedding`
  const album = quick ? 12 : 60
  const filling = await startService(dataDir)
  const { token, makeEvent } = await openHost(filling.port)
  const made = await makeEvent()
  for (let n = 0; n < 50; n++) await ask(filling.port, messageTo(made.chat, token))
  const { unseen } = await openUploads(1600)
  for (let n = 0; n < album; n++) await ask(filling.port, unseen({ event: made.event, token }))
  await allSizesMade(filling.databaseUrl)
  await filling.stop()
  return { ...made, dataDir, album }
}

/** Phone sizes are made in spare time: here, before anybody arrives. */
const allSizesMade = async (connectionString: string) => {
  const db = new pg.Client({ connectionString })
  await db.connect()
  while ((await db.query(`select from jobs where lane = 'makeMedium'`)).rowCount) await sleep(500)
  await db.end()
}
