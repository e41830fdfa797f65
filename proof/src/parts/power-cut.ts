import { join } from 'node:path'
import { lacksBlockDevice, openVolatileDisk, type VolatileDisk } from '../block-device.ts'
import { faultsUnderLoad } from '../checks/all.ts'
import { onGround, type Run } from '../ground.ts'
import type { Part } from '../part.ts'
import { until } from '../processes.ts'

const diskMegabytes = 2048

/** Media and database lie on a disk that forgets what was not flushed; the power goes while people write. */
const cutPower = async (run: Run) => {
  let disk: VolatileDisk | undefined
  await onGround(
    run,
    async ground => {
      await faultsUnderLoad(ground, run, async people => {
        const [acts, pictures] = [people.count(), ground.book.photos()]
        await until('acts and a photo', () => people.count() > acts + 10 && ground.book.photos() > pictures)
        ground.faultBegins()
        disk?.cut()
        await Promise.all([ground.service.kill(), ground.service.killDatabase()])
        disk?.unplug()
        await disk?.plug()
        run.report.fault()
        run.report.took('from the start to the first 200', await ground.service.start())
        await people.goesOn('an act after the power came back')
        ground.faultEnds()
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
