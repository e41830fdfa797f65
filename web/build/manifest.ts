import type { Plugin } from 'vite'
import type { VitePWAOptions } from 'vite-plugin-pwa'

const icon = (size: number, name = `icon-${size}`) => ({
  src: `/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
})

const sizes = { narrow: '780x1688', wide: '1280x800' } as const
const screenshot = (name: string, form_factor: keyof typeof sizes, label: string) => ({
  src: `/screenshots/${name}.webp`,
  sizes: sizes[form_factor],
  type: 'image/webp',
  form_factor,
  label,
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
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'photos', accept: ['image/*', 'video/*', '.heic', '.heif'] }] },
  },
  screenshots: [
    screenshot('event', 'narrow', 'What an event opens with'),
    screenshot('album', 'narrow', 'Everybody’s photos'),
    screenshot('chat', 'narrow', 'One chat for everyone'),
    screenshot('desktop', 'wide', 'The album on a large screen'),
  ],
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
