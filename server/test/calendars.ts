import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'

const python = '/usr/bin/python3'

export type ReadEvent = Partial<
  Record<'UID' | 'SUMMARY' | 'DESCRIPTION' | 'LOCATION' | 'STATUS' | 'URL' | 'DTSTART' | 'DTEND', string>
> & { SEQUENCE: number }

/**
 * The events that two independent parsers agree on. Zones are renamed, so that the parsers know only the file's own
 * rules. A zone at UTC is read by one parser alone: vobject takes an offset of zero for none.
 */
export const readCalendar = (file: string): ReadEvent[] => {
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const renamed = file.replaceAll(
    /TZID([:=])([\w/+-]+)/g,
    (_, sign, zone) => `TZID${sign}own-${zone.replaceAll('/', '-')}`,
  )
  const { stdout, stderr, status } = spawnSync(python, [join(import.meta.dirname, 'calendars.py')], {
    input: renamed,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const [one, other] = JSON.parse(stdout)
  if (!/TZOFFSETTO:[+]0000/.test(file)) expect(one).toEqual(other)
  return one
}
