import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { needing } from '../../../test/needing.ts'
import { evening } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'
import { promtool } from '../../../test/tools.ts'

const folder = fileURLToPath(new URL('../../../../docs/operations/', import.meta.url))
const app = await openTestApp({}, { env: { METRICS_PORT: '0' } })

const scrape = async () => (await fetch(app.metricsAddress ?? '')).text()

// Debian: apt install --no-install-recommends prometheus
needing(promtool).describe('promtool', () => {
  const check = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(promtool.path() ?? '', args, { input, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  test('promtool accepts the metrics once everything has happened', async () => {
    const olivia = await enter(app, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.gallery.uploadPhoto({ event_id, image: new Blob([await png({ width: 9, height: 9, seed: 1 })]) })
    expect(check(['check', 'metrics'], await scrape())).toEqual({ status: 0, said: '' })
  })

  test('promtool accepts the rules', () => {
    expect(check(['check', 'rules', `${folder}alerts.yml`])).toMatchObject({ status: 0 })
  })
})

test('rules and dashboard only query metrics that exist', async () => {
  const measured = new Set((await scrape()).match(/^# TYPE (\w+)/gm)?.map(line => line.slice('# TYPE '.length)))
  const asked = (file: string) => readFileSync(folder + file, 'utf8').match(/\b(?:afterglow|nodejs|process)_\w+/g) ?? []
  for (const file of ['alerts.yml', 'grafana.json']) {
    const names = asked(file).map(name => name.replace(/_(?:bucket|count)$/, ''))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter(name => !measured.has(name))).toEqual([])
  }
})
