import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everybody } from '../people/party.ts'
import type { TestBed } from '../test-bed.ts'

/** I10: logs and metrics contain no token, password, address or text of anybody's. */
export const checkSecrets = async ({ directory, service, ledger, party, report }: TestBed): Promise<void> => {
  const secrets = [
    ...everybody(party).flatMap(({ token, password, email }) => [token, password, email]),
    ...ledger.believed.slice(0, 500).flatMap(({ kind, texts }) => (kind === 'photo' ? [] : texts)),
  ]
  const logs = [
    ...readdirSync(directory)
      .filter(name => name.endsWith('.log'))
      .map(name => join(directory, name)),
    join(service.dataDir, 'postgres', 'postgres.log'),
  ]
  const places = logs
    .filter(path => existsSync(path))
    .map((path): [string, string] => [path, readFileSync(path, 'utf8')])
  const metrics = await fetch(service.metricsUrl).then(
    reply => reply.text(),
    () => '',
  )
  places.push(['the metrics', metrics])
  const found: string[] = []
  for (const [place, text] of places) {
    for (const secret of secrets) if (text.includes(secret)) found.push(`${place} tells "${secret.slice(0, 40)}"`)
    if (/[?&]s=[\w-]{20,}/.test(text)) found.push(`${place} tells a signed address`)
  }
  report.checked('I10', secrets.length * places.length, found)
}
