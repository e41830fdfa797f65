import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsUnderLoad } from '../checks/all.ts'
import { settled, until } from '../instance/processes.ts'
import type { Part } from '../part.ts'
import {
  addRecipient,
  askForTests,
  checkTaken,
  type PushRecipient,
  register,
  underWay,
  ways,
  withPushService,
} from '../people/push-recipients.ts'
import { openPushService, type PushFault, type PushService } from '../people/push-service.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

const spells: readonly (PushFault | 'gone')[] = ['429', '500', '503', 'slow', 'cut', 'gone', 'hang']
const sleepersOfEach = 2

/** Providers fail in every way while pushes are due; each push is delivered once they recover, and no other waits. */
const breakPush = async (run: Run) => {
  await using closing = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-push-'))
  closing.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const provider = await openPushService(run.root)
  closing.defer(() => provider.close())
  await onTestBed(
    run,
    async testBed => {
      const recipients: PushRecipient[] = []
      for (const way of ways)
        for (let nth = 0; nth < sleepersOfEach; nth++) recipients.push(await addRecipient(testBed, provider, way))
      await faultsUnderLoad(testBed, run, async (people, nth) => {
        const spell = spells[nth % spells.length] as (typeof spells)[number]
        const before = people.count()
        if (spell === 'gone') await loseOne(testBed, provider, recipients, run)
        else {
          provider.fail(spell)
          await askForTests(testBed, recipients)
          await sleep(run.random.whole(500, 3000))
          await until(`acts while providers answer ${spell}`, () => people.count() > before + 5)
          provider.fail(undefined)
        }
        const began = performance.now()
        await until(`every push left after ${spell}`, async () => (await underWay(testBed, recipients)).length === 0)
        await checkTaken(testBed, provider, recipients)
        run.report.took(`until every push had left after ${spell}`, performance.now() - began)
        run.report.fault()
        run.report.checked(
          'I12',
          1,
          testBed.service.isUp() ? [] : [`the server ended when providers answered ${spell}`],
        )
      })
    },
    withPushService(directory, provider),
  )
}

/** Unregisters one device: its address is dropped and no other; then it returns under a new address. */
const loseOne = async (
  testBed: TestBed,
  provider: PushService,
  recipients: readonly PushRecipient[],
  { random, report }: Run,
) => {
  const lost = random.pick(recipients)
  provider.lose(lost.addresses.at(-1) as string)
  lost.asked = []
  const others = recipients.filter(one => one !== lost)
  await askForTests(testBed, others)
  // The test push is refused if an earlier push to its owner already dropped the address.
  await testBed.ask('POST', 'api/account/device/test', { token: lost.person.token })
  const addressesOf = ({ person }: PushRecipient) =>
    testBed.service.sql('select 1 from push_addresses p join devices d on d.id = p.device_row where d.user_id = $1', [
      person.id,
    ])
  const kept = await settled(() => addressesOf(lost))
  const found = kept.map(() => `a device that is gone is pushed to still (${lost.way})`)
  for (const other of others)
    if ((await addressesOf(other)).length !== 1) found.push(`the address of another device was dropped (${other.way})`)
  report.checked('I4', recipients.length, found)
  await register(testBed.ask, provider, lost, random)
}

export const pushBroken: Part = {
  name: 'push-broken',
  promise: 'providers of pushes ask for a pause, fail, are late, break off and hang, and devices are gone',
  of: 'spells',
  slice: spells.length,
  full: 400,
  run: breakPush,
}
