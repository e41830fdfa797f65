import { videoReasons } from '@afterglow/contract/photo'
import { messageFor } from '@afterglow/contract/sentences'
import { sentence } from '@afterglow/contract/words'
import type { Plugin } from 'vite'
import { templateOf } from '../src/app/net/refusal-template.ts'
import type { Refusals } from '../src/app/net/refusals.ts'

/** Refusals by code, sentences about fields by their names in the contract, films that failed by their reasons. */
type Spoken = { refusals: Record<'codes' | 'fields' | 'films', Record<string, string>> }

const field = 'some_field'
/** A sentence of the contract as the client meets it, in place of its name. */
const templates: Record<'fields' | 'films', Record<string, string>> = {
  fields: Object.fromEntries(
    Object.entries(sentence).map(([name, each]) => {
      const text = typeof each === 'string' ? each : (each as (value: number | string) => string)(12)
      return [name, templateOf(messageFor(text, field), field).template]
    }),
  ),
  films: Object.fromEntries(Object.entries(videoReasons).map(([name, text]) => [name, templateOf(text).template])),
}

/** What the client loads: a client carries no contract, so names of sentences become the sentences. */
export const refusalsOf = ({ refusals: { codes, ...named } }: Spoken): Refusals => ({
  codes,
  sentences: Object.fromEntries(
    (['fields', 'films'] as const).flatMap(part =>
      Object.entries(named[part]).map(([name, words]) => [templates[part][name] ?? name, words]),
    ),
  ),
})

/**
 * A language is one file, whose texts every page loads; translations of refusals come with the first refusal
 * (`?refusals`).
 */
export const languages = (): Plugin => ({
  name: 'languages',
  enforce: 'pre',
  transform: (code, id) =>
    /\/words\/[a-z]{2}\.json\?refusals$/.test(id)
      ? { code: `export default ${JSON.stringify(refusalsOf(JSON.parse(code)))}`, moduleType: 'js', map: null }
      : undefined,
  generateBundle(_, bundle) {
    for (const asset of Object.values(bundle))
      if (asset.type === 'asset' && wordsFile.test(asset.fileName)) {
        const { refusals: _, ...words } = JSON.parse(String(asset.source)) as Spoken
        asset.source = JSON.stringify(words)
      }
  },
})

export const wordsFile = /^assets\/([a-z]{2})-[^/]*\.json$/
