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

const sheetsOf = /^const __vite__mapDeps=.*?m\.f=\[(.*?)\].*\n/
const ofEveryPage = /"assets\/floor-[\w-]*\.css"/
const needed = /__vite__mapDeps\(\[([\d,]+)\]\)/g

/** What loads a part of the client on demand. */
export const laterCode = (): Plugin => ({
  name: 'later-code',
  apply: 'build',
  enforce: 'post',
  transform: (code, id) => (id.includes('vite/preload-helper') && code ? { code: helper, map: null } : undefined),
  // Naming the style sheet that index.html loads would cost 90 bytes in each file.
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = withoutFirst(chunk.code)
    },
  },
})

const withoutFirst = (code: string) => {
  const [line = '', sheets = ''] = sheetsOf.exec(code) ?? []
  const first = String(sheets.split(',').findIndex(sheet => ofEveryPage.test(sheet)))
  const without = code.replaceAll(needed, (_, all: string) => {
    const others = all.split(',').filter(each => each !== first)
    return others.length > 0 ? `__vite__mapDeps([${others}])` : '[]'
  })
  return without.includes('__vite__mapDeps([') ? without.replace(ofEveryPage, '0') : without.replace(line, '')
}
