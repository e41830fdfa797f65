import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { compressed } from './build/compressed.ts'
import { manifest } from './build/manifest.ts'

/** Where `npm run dev` finds the service. */
const service = process.env.AFTERGLOW ?? 'http://127.0.0.1:3000'

/** What every page begins with, as one file too: it saves 4 KB of 130, and fifteen requests. */
const floor =
  /preload-helper|createLucideIcon|sdk.src.call|words.en\.json|src.app.(?:words|language|theme|store|client|query|network|session|waiting|missing)\.|src.ui.(?:button|spinner|notice|toasts|failing|field|form|form-problem)\./

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwind(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/installed',
      filename: 'sw.ts',
      injectRegister: false,
      includeManifestIcons: false,
      injectManifest: {
        rollupFormat: 'iife',
        globPatterns: ['index.html', 'icon.svg', 'assets/*.{js,css,svg,woff2}'],
        // Names under assets/ hold a hash already.
        dontCacheBustURLsMatching: /^assets\//,
      },
      manifest,
    }),
    compressed(),
  ],
  // The service puts a fresh one into each page it sends.
  html: { cspNonce: 'NONCE' },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // A picture inside a style sheet would be data:, which the policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'files.json',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every page stands on comes as one file: many small ones compress worse.
        codeSplitting: {
          groups: [
            { name: 'ground', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/ },
            { name: 'floor', test: floor },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // What the service builds beside is no change of a source.
    watch: { ignored: ['**/dist*/**'] },
    proxy: Object.fromEntries(
      ['/api', '/media', '/realtime', '/docs', '/healthz', '/readyz', '^/j/[^/]+/qr'].map(path => [
        path,
        { target: service, ws: true },
      ]),
    ),
  },
})
