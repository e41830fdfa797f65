import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsUnderLoad } from '../checks/all.ts'
import { type Failing, lacksBlockDevice, openFailingDisk } from '../instance/block-device.ts'
import { until } from '../instance/processes.ts'
import type { Part } from '../part.ts'
import { onTestBed, type Run } from '../test-bed.ts'

const diskMegabytes = 700

/** How long a service may take to recover by itself once its disk works again. */
const aloneMs = 20_000

/** Every other disk request fails for some seconds: nothing acknowledged may be missing afterwards. */
const failDisk = async (run: Run) => {
  let disk: Failing | undefined
  await onTestBed(
    run,
    async testBed => {
      await faultsUnderLoad(testBed, run, async people => {
        // Without this, a request slowed down by several outages would be taken for one that hangs.
        await until('everybody has acted before the disk fails', people.sinceNow())
        testBed.faultBegins()
        disk?.fail(true)
        await sleep(run.random.whole(200, 3000))
        disk?.fail(false)
        run.report.fault()
        const began = performance.now()
        const alone = await people.goesOn('an act after the errors', aloneMs).then(
          () => true,
          () => false,
        )
        if (alone) run.report.took('from the end of the errors to the next acknowledgement', performance.now() - began)
        else {
          // A filesystem whose journal has failed must be remounted, which is an operator's work.
          await Promise.all([testBed.service.kill(), testBed.service.killDatabase()])
          disk?.unplug()
          await disk?.plug()
          run.report.took('from mounting anew to the first 200', await testBed.service.start())
          await people.goesOn('an act after mounting anew')
        }
        if (!testBed.service.isUp()) {
          run.report.found('I12', 'the server ended over errors of its disk')
          await testBed.service.start()
        }
        testBed.faultEnds()
        run.report.checked('I12', 1)
      })
    },
    {
      prepare: async directory => {
        disk = await openFailingDisk({
          home: join(directory, 'disk'),
          mountPoint: join(directory, 'data'),
          megabytes: diskMegabytes,
        })
        return () => disk?.unplug()
      },
    },
  )
}

export const failingDisk: Part = {
  name: 'disk-errors',
  promise: 'every other request to the disk under media and database fails with EIO, writes and flushes',
  of: 'spells',
  slice: 1,
  full: 500,
  lacks: lacksBlockDevice,
  run: failDisk,
}
