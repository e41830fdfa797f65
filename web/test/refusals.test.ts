import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@afterglow/contract/operations'
import { videoReasons } from '@afterglow/contract/photo'
import type { Refusal } from '@afterglow/contract/route'
import { messageFor } from '@afterglow/contract/sentences'
import { streams } from '@afterglow/contract/streams'
import { sentence } from '@afterglow/contract/words'
import { expect, test } from 'vitest'
import { templateOf } from '../src/app/net/refusal-template.ts'
import { openRefusals } from '../src/app/net/refusals.ts'
import { speak } from '../src/app/words.ts'
import { proofNeeded } from '../src/ui/prove-first.ts'

const folder = join(import.meta.dirname, '../src/words')
const files = readdirSync(folder)
const knownIn = (file: string): Spoken => JSON.parse(readFileSync(join(folder, file), 'utf8')).refusals

type Spoken = Record<'codes' | 'fields' | 'films', Record<string, string>>
const textOf = (refusal: Refusal): string =>
  'text' in refusal ? refusal.text : 'error' in refusal ? refusal.error : refusal.error_message
const textsOfCodes = Object.fromEntries(
  [...operations, ...streams].flatMap(({ refusals }) =>
    Object.entries(refusals).map(([code, refusal]) => [code, textOf(refusal)]),
  ),
)
/** Sentences about a field, filled in for one with these numbers. */
const field = 'some_field'
const aboutField = Object.fromEntries(
  Object.entries(sentence).map(([name, each]) => [
    name,
    messageFor(typeof each === 'string' ? each : (each as (value: number | string) => string)(12), field),
  ]),
)
const templatesIn = (texts: Record<string, string>, of?: string) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, templateOf(text, of).template]))
const contract: Spoken = {
  codes: templatesIn(textsOfCodes),
  fields: templatesIn(aboutField, field),
  films: templatesIn(videoReasons),
}
const parts = Object.keys(contract) as (keyof Spoken)[]

test.each(files)('%s has every refusal of the contract, by code and by name, and nothing else', file => {
  for (const part of parts) expect(Object.keys(knownIn(file)[part]).sort()).toEqual(Object.keys(contract[part]).sort())
})

test.each(files)('%s uses the same values in its texts as the contract', file => {
  const values = (text = '') => (text.match(/:(?:number|size|types)\b/g) ?? []).sort()
  for (const part of parts)
    for (const [name, words] of Object.entries(knownIn(file)[part]))
      expect([name, values(words)]).toEqual([name, values(contract[part][name])])
})

test('a refusal that asks for a proof is recognized by a code of the contract', () => {
  expect(operations.filter(({ refusals }) => proofNeeded in refusals).length).toBeGreaterThan(0)
})

test('a refusal is shown in the user’s language, with its numbers, and an unknown one unchanged', async () => {
  speak('de', {})
  const say = await openRefusals()
  const about = (field: string, text: string) => say({ text, field })
  expect(about('user_username', 'The user username has already been taken.')).toBe('Schon vergeben.')
  expect(about('user_password', 'The user password field must be at least 8 characters.')).toBe(
    'Bitte mindestens 8 Zeichen.',
  )
  expect(about('image', 'The image field must not be greater than 51200 kilobytes.')).toMatch(/höchstens 50\sMB/)
  expect(about('image', 'The image field must be a file of type: jpg, png, webp.')).toContain('jpg, png, webp')
  expect(say({ text: 'The PIN is wrong', code: 'wrongPin' })).toBe(
    'Falsche PIN. Prüfe sie und versuche es noch einmal.',
  )
  expect(say({ text: 'In words that a later version chose.', code: 'wrongPin' })).toBe(
    'Falsche PIN. Prüfe sie und versuche es noch einmal.',
  )
  expect(say({ text: 'Something nobody ever said.', code: 'unheardOf' })).toBe('Something nobody ever said.')
})
