import type { Plugin } from 'vite'
import type { VitePWAOptions } from 'vite-plugin-pwa'

const icon = (size: number, name = `icon-${size}`) => ({
  src: `/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
})

/** How the client appears among a device's apps. */
export const manifest: VitePWAOptions['manifest'] = {
  id: '/',
  start_url: '/',
  scope: '/',
  name: 'Afterglow',
  short_name: 'Afterglow',
  description: 'Your event’s chat and photos, in one place.',
  display: 'standalone',
  theme_color: '#fffaf5',
  background_color: '#fffaf5',
  categories: ['social', 'photo'],
  icons: [icon(192), icon(512), { ...icon(512, 'icon-maskable-512'), purpose: 'maskable' }],
}

/**
 * Takes the manifest out of the page: browsers load it and its icons as soon as they read of it, before what is drawn.
 * It is named by registering.ts.
 */
export const namedLater = (): Plugin => ({
  name: 'manifest-named-later',
  apply: 'build',
  enforce: 'post',
  transformIndexHtml: { order: 'post', handler: html => html.replace(/<link rel="manifest"[^>]*>/, '') },
})
