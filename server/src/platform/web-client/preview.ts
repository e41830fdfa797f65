import { type Language, type Locale, languageIn } from '@afterglow/contract/languages'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { languageOf } from '../http/language.ts'
import { networkOf, type RateLimits } from '../http/limits.ts'
import { coverSize } from '../media/pictures/cover-size.ts'

/** A page's metadata for link previews, search engines and bookmarks. */
export type Preview = {
  title: string
  description: string
  /** The page's own address, absolute. */
  url: string
  /** A JPEG of 1200 × 630, absolute. */
  image: string
  language: Locale
}

/** Undefined for a page that reveals nothing to someone who only has its address. */
export type PreviewOf = (path: string, request: FastifyRequest) => Promise<Preview | undefined>

const keptMs = 1000
const keptMost = 1000

/**
 * Made at most once a second for an address, however many open it, and `perNetwork` times a minute for one network:
 * beyond that, its pages come without.
 */
export const sparingly = (
  previewOf: PreviewOf,
  { limits, perNetwork }: { limits: RateLimits; perNetwork: number },
): PreviewOf => {
  const kept = new LRUCache<string, Promise<Preview | undefined>>({ max: keptMost, ttl: keptMs })
  return async (path, request) => {
    const key = [path, request.protocol, request.host, languageOf(request.headers['accept-language'])].join(' ')
    const known = kept.get(key)
    if (known) return known
    await limits.spend('page previews', networkOf(request.ip), perNetwork)
    const preview = previewOf(path, request)
    kept.set(key, preview)
    return preview.catch(error => {
      kept.delete(key)
      throw error
    })
  }
}

const locales: Record<Language, string> = { en: 'en_US', es: 'es_ES', de: 'de_DE', ar: 'ar_AR' }

/** A page's head with its own title and description, and Open Graph and Twitter tags with the same content. */
export const withPreview = (page: string, { title, description, url, image, language }: Preview): string => {
  const tags = {
    'og:type': 'website',
    'og:site_name': 'Afterglow',
    'og:locale': locales[languageIn(language)],
    'og:url': url,
    'og:title': title,
    'og:description': description,
    'og:image': image,
    'og:image:type': 'image/jpeg',
    'og:image:width': String(coverSize.width),
    'og:image:height': String(coverSize.height),
    'og:image:alt': title,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': image,
  }
  const named = Object.entries(tags).map(([name, content]) => {
    const as = name.startsWith('og:') ? 'property' : 'name'
    return `<meta ${as}="${name}" content="${escaped(content)}">`
  })
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => `<meta name="description" content="${escaped(description)}">`)
    .replace('</head>', () => `${named.join('')}</head>`)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Names are user text. */
const escaped = (text: string) => text.replace(/[&<>"']/g, character => entities[character] as string)
