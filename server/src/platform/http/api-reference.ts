import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { type CompressedFile, prepare } from './compressed-file.ts'

/**
 * 4 MB of third-party code on the origin where tokens are stored: the sandbox gives the page an origin of its own, so
 * that it cannot see our storage, and its policy only lets it read the document.
 */
export const policy = (inline: string) =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'self' ${inline}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** In its sandbox a page has no storage, and accessing it throws: this one lasts as long as the page. */
const storageOfPage = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const storage = {
    getItem: key => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: key => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: at => [...kept.keys()][at] ?? null,
    get length() { return kept.size },
  }
  Object.defineProperty(window, name, { value: storage })
}
`

/** `inline` names the page's own script in a policy, by its hash. */
type Reference = { page: CompressedFile; script: CompressedFile; inline: string }

/** Loaded when somebody first reads it: the bundle takes 42 MB of memory. */
export const openReference = async (publicPath: string): Promise<Reference> => {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const pages = Fastify()
  await pages.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: `${publicPath}/api/openapi.json`,
      title: 'Afterglow',
      // Nothing on the page may lead to servers other than ours.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      // It can only reach the document.
      hideTestRequestButton: true,
    },
  })
  const [html, script] = await Promise.all(['/docs/', '/docs/js/scalar.js'].map(url => pages.inject({ url })))
  const text = html?.payload ?? ''
  const own = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? ''
  const [page, bundle] = await Promise.all([
    prepare('text/html; charset=utf-8', Buffer.from(text)),
    prepare('text/javascript; charset=utf-8', Buffer.from(storageOfPage + (script?.payload ?? ''))),
  ])
  return { page, script: bundle, inline: `'sha256-${createHash('sha256').update(own).digest('base64')}'` }
}
