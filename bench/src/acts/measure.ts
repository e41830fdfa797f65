import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { startService } from '../service.ts'
import { networks, openChromium, openPhone, slowDown } from '../web/phone.ts'
import { acts } from './acts.ts'
import { openEvening } from './evening.ts'
import { handOn } from './hand.ts'

type Network = keyof typeof networks
/** Why there are no seconds, where an act failed. */
type Measured = { taps: number; seconds: number } | { failed: string }

/**
 * What people do most, on the phone that is emulated: how many taps, and how many seconds from the first one until its end
 * is seen. It has a service of its own, which nobody else uses. Exit code: 1 when an act could not be done.
 */
export const measureActs = async (): Promise<number> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'afterglow-acts-'))
  const service = await startService(join(dataDir, 'data'))
  const browser = await openChromium()
  try {
    const origin = `http://127.0.0.1:${service.port}`
    while ((await fetch(origin)).status !== 200) await sleep(250)
    const byNetwork = new Map<Network, Measured[]>()
    for (const network of Object.keys(networks) as Network[])
      byNetwork.set(network, await eveningOn(browser, origin, network))
    console.log(tableOf(byNetwork))
    return [...byNetwork.values()].flat().some(each => 'failed' in each) ? 1 : 0
  } finally {
    await browser.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const eveningOn = async (browser: Browser, origin: string, network: Network): Promise<Measured[]> => {
  const evening = await openEvening(origin)
  const { id, token } = evening.host
  const phones = {
    guest: await openPhone(browser, origin, undefined),
    host: await openPhone(browser, origin, { userId: id, token }),
  }
  try {
    const measured: Measured[] = []
    for (const { page, cdp } of Object.values(phones)) {
      await slowDown(cdp, networks[network])
      page.setDefaultNavigationTimeout(180_000)
    }
    for (const { name, by, at, run } of acts) {
      const { hand, counted } = handOn(phones[by].page, phones[by].cdp)
      try {
        await at?.(hand, evening)
        await run(hand, evening)
        measured.push({ taps: counted.taps, seconds: (performance.now() - (counted.began ?? 0)) / 1000 })
      } catch (fault) {
        measured.push({ failed: (fault as Error).message.split('\n')[0] ?? '' })
      }
      console.error(`  ${network}: ${name} ${JSON.stringify(measured.at(-1))}`)
    }
    return measured
  } finally {
    for (const phone of Object.values(phones)) await phone.close()
  }
}

const tableOf = (byNetwork: ReadonlyMap<Network, readonly Measured[]>): string => {
  const names = [...byNetwork.keys()]
  const cellOf = (each: Measured | undefined) =>
    each === undefined || 'failed' in each ? `✗ ${each?.failed ?? ''}` : `${each.seconds.toFixed(1)} s`
  const rows = acts.map(({ name, from, others }, at) => {
    const measured = names.map(network => byNetwork.get(network)?.[at])
    const done = measured.find(each => each && 'taps' in each)
    const known = [others.whatsApp, others.googlePhotos, others.partiful].map(taps => taps ?? '–')
    return [name, from, done && 'taps' in done ? done.taps : '–', ...measured.map(cellOf), ...known]
  })
  const heads = ['Act', 'From', 'Taps', ...names, 'WhatsApp', 'Google Photos', 'Partiful']
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`
  const [busy = 0] = loadavg()
  return [
    `Measured ${new Date().toISOString().slice(0, 10)} by \`npm run bench -- --only acts\` on ${cpus().length} × ${cpus()[0]?.model}, of which ${busy.toFixed(1)} were wanted at the end.`,
    '',
    line(heads),
    `|${heads.map((_, at) => (at < 2 ? '---|' : '--:|')).join('')}`,
    ...rows.map(line),
  ].join('\n')
}
