import { underLoad } from '../../checks/all.ts'
import type { Service } from '../../instance/service.ts'
import { onTwoProcesses } from '../../instance/two-processes.ts'
import type { Part } from '../../part.ts'
import { wasStarved } from '../../starvation.ts'
import type { Run, TestBed } from '../../test-bed.ts'

/** Stops and restarts each of two processes in turn. No request fails. */
const roll = (run: Run) =>
  onTwoProcesses(run, async (testBed, two) => {
    const stopAsking = askAllTheTime(testBed)
    await underLoad(testBed, async people => {
      for (let nth = 0; nth < run.count && !run.signal.aborted; nth++) {
        const one = two[nth % 2] as Service
        const began = performance.now()
        const code = await one.stop()
        run.report.took('to stop', performance.now() - began)
        run.report.checked('I12', 1, code === 0 ? [] : [`a process that was asked to stop ended with ${code}`])
        run.report.took('from the start to the first 200', await one.start())
        run.report.fault()
        await people.goesOn('an act after the restart')
      }
      await stopAsking()
    })
  })

/** Sends requests without retrying, each over a connection of its own. */
const askAllTheTime = ({ address, party, report }: TestBed) => {
  let going = true
  const running = (async () => {
    while (going) {
      const headers = { authorization: `Bearer ${party.muter.token}`, connection: 'close' }
      const reply = await fetch(`${address}/api/account`, { headers }).then(
        ({ status }) => status,
        (fault: Error) => `${fault.message} ${(fault.cause as Error | undefined)?.message ?? ''}`,
      )
      report.checked(
        'I9',
        1,
        reply === 200 || wasStarved() ? [] : [`a request failed while processes were restarted in turn: ${reply}`],
      )
    }
  })()
  return async () => {
    going = false
    await running
  }
}

export const rolling: Part = {
  name: 'rolling-restarts',
  promise: 'two processes behind a proxy are restarted in turn under load, and no request fails',
  of: 'restarts',
  slice: 3,
  full: 200,
  run: roll,
}
