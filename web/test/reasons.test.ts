import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as contract from '@afterglow/contract/reasons'
import { expect, test } from 'vitest'
import { speak } from '../src/app/words.ts'
import { sentencesOf, templateOf } from '../src/notifications/reason-template.ts'
import { openReasons } from '../src/notifications/reasons.ts'

const folder = join(import.meta.dirname, '../src/reasons')
const files = readdirSync(folder)
const knownIn = (file: string): Record<string, string> => JSON.parse(readFileSync(join(folder, file), 'utf8'))

type Words = string | ((...values: never[]) => string) | { [key: string]: Words }
/** Every sentence with some values in it. */
const said = (words: Words, ...values: unknown[]): string[] => {
  if (typeof words === 'string') return [words]
  if (typeof words === 'function') return [words(...(values as never[]))]
  return Object.values(words).flatMap(each => said(each, ...values))
}
const { reasons, pushServices, subscriptionFaults } = contract
const { subscription, ...deadAddress } = contract.deadAddress
const dead = [...said(deadAddress, 'FCM', 410), ...subscriptionFaults.map(subscription)] as contract.DeadAddress[]
const faults = said(contract.pushFaults, 'APNs', 503) as contract.PushFault[]
const sentences = [...said(reasons, 12), ...dead.map(contract.dropped), ...faults.map(contract.failed)]
const templates = [...new Set(sentences.map(sentence => templateOf(sentence, pushServices).template))]

test.each(files)('%s says all that the contract gives as reasons, and nothing else', file => {
  expect(Object.keys(knownIn(file)).sort()).toEqual([...templates, ...pushServices].sort())
})

test.each(files)('%s puts the same values into its words as the contract', file => {
  const values = (text: string) => (text.match(/:(?:service|status|seconds|tries)\b/g) ?? []).sort()
  for (const [template, words] of Object.entries(knownIn(file)))
    expect([template, values(words)]).toEqual([template, values(template)])
})

test('every language has its words for reasons', () => {
  expect(files.sort()).toEqual(readdirSync(join(folder, '../words')).sort())
})

test('reasons that follow one another are told apart again', () => {
  expect(sentencesOf(sentences.join(' '))).toEqual(sentences)
})

test('a reason is said in one’s language, with who and how long, and an unknown one as it came', async () => {
  speak('de', {})
  const say = await openReasons()
  expect(say(`${reasons.organizer} ${reasons.allMuted}`)).toBe(
    'Du bist Gastgeber dieses Events. Es hat nicht geklingelt, weil du Mitteilungen stumm hältst.',
  )
  expect(say(`${reasons.notTaken(0.2)} ${reasons.alsoPushed}`)).toMatch(
    /\(0,2 Sekunden\)\. Darum ging es auch als Push/,
  )
  const later = `${contract.failed(contract.pushFaults.trouble('APNs', 503))} ${reasons.triedAgain(5)}`
  expect(say(later)).toMatch(/^Der Push-Dienst von Apple hat gerade .* \(503\)\. .*\(in 5 Sekunden\)\.$/)
  expect(say('Something nobody ever said. You were mentioned.')).toBe(
    'Something nobody ever said. Jemand hat dich erwähnt.',
  )
})
