import type { Plugin } from 'vite'

/**
 * Vite's own loader detects at runtime which engine it is in, and tracks what it has preloaded: a page only needs the
 * style sheets of lazily loaded parts, and to be told if loading failed.
 */
const helper = `
const sheets = {}
const sheet = href => (sheets[href] ??= document.querySelector('link[href="/' + href + '"]') ?? new Promise((resolve, reject) => {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = '/' + href
  link.onload = resolve
  link.onerror = () => { delete sheets[href]; link.remove(); reject(Error(href)) }
  document.head.append(link)
}))
export const __vitePreload = async (load, files) => {
  try {
    if (files) await Promise.all(files.map(sheet))
    return await load()
  } catch (error) {
    if (dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error }))) throw error
  }
}
`

const ofEveryPage = /^const __vite__mapDeps=.*\["assets\/floor-[\w-]*\.css"\].*\n/

/** What loads a part of the client on demand. */
export const laterCode = (): Plugin => ({
  name: 'later-code',
  apply: 'build',
  enforce: 'post',
  transform: (code, id) => (id.includes('vite/preload-helper') && code ? { code: helper, map: null } : undefined),
  // If a part only needs the style sheet that index.html loads, naming it would cost 90 bytes in each file.
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && ofEveryPage.test(chunk.code))
          chunk.code = chunk.code.replace(ofEveryPage, '').replaceAll('__vite__mapDeps([0])', '[]')
    },
  },
})
