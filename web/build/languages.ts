import type { Plugin } from 'vite'

type Spoken = { refusals: Record<string, string> }

/**
 * A language is one file, whose texts every page loads; translations of refusals come with the first refusal
 * (`?refusals`).
 */
export const languages = (): Plugin => ({
  name: 'languages',
  enforce: 'pre',
  transform: (code, id) =>
    /\/words\/[a-z]{2}\.json\?refusals$/.test(id)
      ? { code: `export default ${JSON.stringify((JSON.parse(code) as Spoken).refusals)}`, moduleType: 'js', map: null }
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
