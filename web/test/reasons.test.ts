import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pushServices, type Reason, reasons, say as sayInEnglish, sentences } from '@afterglow/contract/reasons'
import { expect, test } from 'vitest'
import { speak } from '../src/app/words.ts'
import { openReasons } from '../src/notifications/reasons.ts'

const folder = join(import.meta.dirname, '../src/reasons')
const files = readdirSync(folder)
const knownIn = (file: string): Record<string, string> => JSON.parse(readFileSync(join(folder, file), 'utf8'))

test.each(files)('%s has words for all that the contract gives as reasons, and nothing else', file => {
  expect(Object.keys(knownIn(file)).sort()).toEqual([...Object.keys(sentences), ...Object.keys(pushServices)].sort())
})

test.each(files)('%s puts the same values into its words as the contract', file => {
  const values = (text: string) => (text.match(/:(?:service|status|seconds|tries)\b/g) ?? []).sort()
  const known = knownIn(file)
  for (const [code, english] of Object.entries(sentences))
    expect([code, values(known[code] ?? '')]).toEqual([code, values(english)])
})

test('every language has its words for reasons', () => {
  expect(files.sort()).toEqual(readdirSync(join(folder, '../words')).sort())
})

test('a reason is said in one’s language, with who and how long, and with an unknown code as it came', async () => {
  speak('de', {})
  const say = await openReasons()
  const said = (...given: Reason[]) => say({ reason: sayInEnglish(given), extra: { reasons: given } })
  expect(said(reasons.organizer, reasons.allMuted)).toBe(
    'Du bist Gastgeber dieses Events. Es hat nicht geklingelt, weil du Mitteilungen stumm hältst.',
  )
  expect(said(reasons.notTaken(0.2), reasons.alsoPushed)).toMatch(/\(0,2 Sekunden\)\. Darum ging es auch als Push/)
  expect(said(reasons.trouble('apns', 503), reasons.triedAgain(5))).toMatch(
    /^Der Push-Dienst von Apple hat gerade .* \(503\)\. .*\(in 5 Sekunden\)\.$/,
  )
  const unknown = { code: 'somethingNew' } as unknown as Reason
  expect(say({ reason: 'Something new.', extra: { reasons: [unknown, reasons.mentioned] } })).toBe('Something new.')
  expect(say({ reason: 'You were mentioned.' })).toBe('You were mentioned.')
})
