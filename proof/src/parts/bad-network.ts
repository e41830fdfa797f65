import { setTimeout as sleep } from 'node:timers/promises'
import { faultsUnderLoad } from '../checks/all.ts'
import { type NetworkFaults, onNetwork } from '../instance/network.ts'
import type { Part } from '../part.ts'
import type { Run } from '../test-bed.ts'

const spells: readonly (NetworkFaults & { name: string; does?: 'cut' | 'silence' })[] = [
  { name: 'every connection is cut', does: 'cut' },
  { name: 'one chunk in ten comes late, as what was lost does', losesPackets: 0.1 },
  { name: 'everything comes in pieces of three bytes', slice: 3 },
  { name: 'what is open stays open and carries nothing', does: 'silence' },
  { name: 'every third connection is cut after some bytes', cuts: 0.33 },
  { name: 'all of it', cuts: 0.2, losesPackets: 0.1, losesReplies: 0.1, slice: 3 },
]
const spellMs = 3000

/**
 * Faulty network between people and service, for some seconds at a time; afterwards everybody has received everything
 * once.
 */
const breakNetwork = (run: Run) =>
  onNetwork(run, (testBed, network) =>
    faultsUnderLoad(testBed, run, async (people, nth) => {
      const spell = spells[nth % spells.length] as (typeof spells)[number]
      network.weather(spell)
      if (spell.does === 'cut') network.cut()
      if (spell.does === 'silence') network.silence()
      await sleep(spellMs)
      if (spell.does === 'silence') {
        network.goOn()
        // A returning phone has a new address: its old connections are dead, and its requests fail.
        network.cut()
      }
      network.weather({})
      run.report.fault()
      await people.goesOn(`an act after the spell in which ${spell.name}`)
      run.report.checked('I12', 1, testBed.service.isUp() ? [] : [`the server ended when ${spell.name}`])
    }),
  )

export const badNetwork: Part = {
  name: 'bad-network',
  promise: 'connections are cut, half open, slow and torn between people and the service',
  of: 'spells',
  slice: spells.length,
  full: 1200,
  run: breakNetwork,
}
