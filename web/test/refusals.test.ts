import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { videoReasons } from '@afterglow/contract/gallery'
import { operations } from '@afterglow/contract/operations'
import type { Refusal } from '@afterglow/contract/route'
import { sayOf } from '@afterglow/contract/sentences'
import { streams } from '@afterglow/contract/streams'
import { sentence } from '@afterglow/contract/words'
import { expect, test } from 'vitest'
import { templateOf } from '../src/app/refusal-template.ts'
import { openRefusals } from '../src/app/refusals.ts'
import { speak } from '../src/app/words.ts'
import { proofNeeded } from '../src/ui/prove-first.ts'

const folder = join(import.meta.dirname, '../src/words')
const files = readdirSync(folder)
const knownIn = (file: string): Record<string, string> => JSON.parse(readFileSync(join(folder, file), 'utf8')).refusals

const textOf = (refusal: Refusal): string =>
  'text' in refusal ? refusal.text : 'error' in refusal ? refusal.error : refusal.error_message
/** Sentences about a field, as they are said of one with these numbers. */
const field = 'some_field'
const aboutField = Object.values(sentence).map(each =>
  sayOf(typeof each === 'string' ? each : (each as (value: number | string) => string)(12), field),
)
const refusals = [...operations, ...streams].flatMap(each => Object.values(each.refusals).map(textOf))
const said = [...refusals, ...Object.values(videoReasons)].map(text => templateOf(text).template)
const templates = [...new Set([...said, ...aboutField.map(text => templateOf(text, field).template)])]

test.each(files)('%s says all that the contract refuses with, and nothing else', file => {
  expect(Object.keys(knownIn(file)).sort()).toEqual(templates.toSorted())
})

test.each(files)('%s puts the same values into its words as the contract', file => {
  const values = (text: string) => (text.match(/:(?:number|size|types)\b/g) ?? []).sort()
  for (const [template, words] of Object.entries(knownIn(file)))
    expect([template, values(words)]).toEqual([template, values(template)])
})

test('what asks for a proof is known by a code of the contract', () => {
  expect(operations.filter(({ refusals }) => proofNeeded in refusals).length).toBeGreaterThan(0)
})

test('a refusal is said in one’s language, with its numbers, and an unknown one as it came', async () => {
  speak('de', {})
  const say = await openRefusals()
  expect(say('The user username has already been taken.', 'user_username')).toBe('Das hat schon jemand.')
  expect(say('The user password field must be at least 8 characters.', 'user_password')).toBe(
    'Bitte mindestens 8 Zeichen.',
  )
  expect(say('The image field must not be greater than 51200 kilobytes.', 'image')).toMatch(/höchstens 50\sMB/)
  expect(say('The image field must be a file of type: jpg, png, webp.', 'image')).toContain('jpg, png, webp')
  expect(say('The PIN is wrong')).toBe('Diese PIN ist falsch.')
  expect(say('Something nobody ever said.')).toBe('Something nobody ever said.')
})
