import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/**
 * The oldest browsers that the client works in: phones of 2015, televisions of 2022. What the build lowers, what
 * `app/polyfills.ts` adds and what `floor.test.ts` takes away follow from it; below it, a page is one sentence.
 */
export const floor = ['safari15.4', 'chrome87', 'firefox102']

const rule = /([^{}]+)\{([^{}]*)\}/g
const moves = new Set(['translate', 'scale', 'rotate'])
const values = /\s+(?![^(]*\))/

/** The end of what a parenthesis opens. */
const closing = (text: string, open: number) => {
  let at = open + 1
  for (let depth = 1; depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  return at
}

/** A selector without `:is()` and `:where()` (Chrome 88): what has no list stands without them. */
const spelledOut = (selector: string): string => {
  const found = /:(?:is|where)\(/.exec(selector)
  if (!found) return selector
  const [begin, open] = [found.index, found.index + found[0].length - 1]
  const end = closing(selector, open)
  const inner = selector.slice(open + 1, end - 1)
  const said = /,(?![^(]*\))/.test(inner) ? `:-webkit-any(${inner})` : inner
  return spelledOut(selector.slice(0, begin) + said + selector.slice(end))
}

/** What old browsers need beside a rule. */
const instead = (selector: string, body: string) => {
  if (/:(?:is|where)\(/.test(selector))
    return /:-(?:webkit|moz)-any\(/.test(selector)
      ? ''
      : `@supports not selector(:is(a)){${spelledOut(selector)}{${body}}${plain(spelledOut(selector), body)}}`
  return plain(selector, body)
}

/** Where moves are no properties (Chrome 104), heights not dynamic (Chrome 108), and boxes without ratios (Chrome 88) or units (Chrome 105). */
const plain = (selector: string, body: string) => {
  const declarations = body.split(';').map(each => each.split(/:(.*)/s) as [string, string])
  const transforms = declarations
    .filter(([name, value]) => moves.has(name) && value !== 'none' && !/(?:^|;)transform:/.test(body))
    .map(([name, value]) => `${name}(${value.trim().split(values).join(',')})`)
  const unless = (supported: string, said: readonly string[], more = '') =>
    said.length > 0 ? `@supports not (${supported}){${selector}{${said.join(';')}}${more}}` : ''
  const inUnits = (units: RegExp) =>
    declarations
      .filter(([, value = '']) => value.search(units) >= 0)
      .map(([name, value]) => `${name}:${value.replaceAll(units, 'v$1')}`)
  const ratio = selector.startsWith('.aspect-') && declarations.find(([name]) => name === 'aspect-ratio')?.[1]
  const height = `${selector}:before{content:"";display:block;padding-top:calc(100%/(${ratio}))}`
  const filled = `${selector}>img,${selector}>.size-full{position:absolute;top:0;left:0}`
  return (
    unless('translate:0', transforms.length > 0 ? [`transform:${transforms.join(' ')}`] : []) +
    unless('height:1dvh', inUnits(/(?<=\d)[ds]v(h)/g)) +
    unless('height:1cqh', inUnits(/(?<=\d)cq([wh])/g)) +
    unless('aspect-ratio:1', ratio ? ['position:relative'] : [], height + filled)
  )
}

/** Without layers (Chrome 99): their order is that of the file anyway. */
const flattened = (css: string): string => {
  const [begin] = /@layer [\w, ]+[;{]/.exec(css) ?? []
  if (begin === undefined) return css
  const [at, inside] = [css.indexOf(begin), css.indexOf(begin) + begin.length]
  if (begin.endsWith(';')) return flattened(css.slice(0, at) + css.slice(inside))
  let end = inside
  for (let depth = 1; depth > 0; end++) depth += css[end] === '{' ? 1 : css[end] === '}' ? -1 : 0
  return flattened(css.slice(0, at) + css.slice(inside, end - 1) + css.slice(end))
}

/** What the bundler’s own lowering leaves. */
const lowered = (css: string): string =>
  flattened(css).replaceAll(rule, (whole, selector: string, body: string) => whole + instead(selector, body))

/** One sentence below the floor, from a script that a browser without modules runs as well. */
const sentences = {
  en: 'This browser is too old for Afterglow. Please update it, or open the link on a newer phone or computer.',
  de: 'Dieser Browser ist zu alt für Afterglow. Bitte aktualisiere ihn, oder öffne den Link auf einem neueren Handy oder Computer.',
  es: 'Este navegador es demasiado antiguo para Afterglow. Actualízalo o abre el enlace en un móvil u ordenador más reciente.',
  ar: 'هذا المتصفح أقدم من أن يعمل مع Afterglow. يُرجى تحديثه أو فتح الرابط على هاتف أو حاسوب أحدث.',
}
const belowFloor = `(function(){var s=${JSON.stringify(sentences)},w=window;if(w.HTMLDialogElement&&'noModule'in document.createElement('script')&&w.CSS&&CSS.supports('inset','0'))return;var l=(navigator.language||'en').slice(0,2),b=document.body;b.textContent=s[l]||s.en;b.lang=s[l]?l:'en';b.dir=l==='ar'?'rtl':'ltr';b.style.cssText='margin:2rem;font:1.25rem/1.5 sans-serif;color:#2b1c15;background:#fff9f3'})()`

/** A file, as the policy runs nothing that stands in a page, and one with a hash, so that it may be kept. */
const fileName = `assets/floor-${createHash('sha256').update(belowFloor).digest('base64url').slice(0, 8)}.js`

export const keepFloor = (): Plugin => ({
  name: 'floor',
  apply: 'build',
  // Deferred as modules are, and before them.
  transformIndexHtml: () => [{ tag: 'script', attrs: { defer: true, src: `./${fileName}` }, injectTo: 'head-prepend' }],
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      // The service worker is a build of its own.
      if (Object.values(bundle).some(({ fileName: name }) => name === 'index.html'))
        this.emitFile({ type: 'asset', fileName, source: belowFloor })
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = lowered(String(file.source))
    },
  },
})
