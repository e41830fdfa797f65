import { join } from 'node:path'
import { faultsUnderLoad } from '../checks/all.ts'
import { lacksBlockDevice, openVolatileDisk, type VolatileDisk } from '../instance/block-device.ts'
import { until } from '../instance/processes.ts'
import type { Part } from '../part.ts'
import { onTestBed, type Run } from '../test-bed.ts'

const diskMegabytes = 2048

/** Media and database are on a disk that loses unflushed writes; the power is cut while people write. */
const cutPower = async (run: Run) => {
  let disk: VolatileDisk | undefined
  await onTestBed(
    run,
    async testBed => {
      await faultsUnderLoad(testBed, run, async people => {
        const [acts, pictures] = [people.count(), testBed.ledger.photos()]
        await until('acts and a photo', () => people.count() > acts + 10 && testBed.ledger.photos() > pictures)
        testBed.faultBegins()
        disk?.cut()
        await Promise.all([testBed.service.kill(), testBed.service.killDatabase()])
        disk?.unplug()
        await disk?.plug()
        run.report.fault()
        run.report.took('from the start to the first 200', await testBed.service.start())
        await people.goesOn('an act after the power came back')
        testBed.faultEnds()
        run.report.checked('I12', 1)
      })
    },
    {
      prepare: async directory => {
        disk = await openVolatileDisk({
          home: join(directory, 'disk'),
          mountPoint: join(directory, 'data'),
          megabytes: diskMegabytes,
        })
        return () => disk?.unplug()
      },
    },
  )
}

export const powerCut: Part = {
  name: 'power-cut',
  promise: 'media and database lie on a disk that forgets what was not flushed, and its power goes',
  of: 'cuts',
  slice: 2,
  full: 200,
  lacks: lacksBlockDevice,
  run: cutPower,
}
