import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { compressed } from './build/compressed.ts'
import { firstPages } from './build/first-pages.ts'
import { floor, keepFloor } from './build/floor.ts'
import { languages } from './build/languages.ts'
import { uploadCommand } from './build/upload-command.ts'

/** Where `npm run dev` finds the service. */
const service = process.env.AFTERGLOW ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  // Files name each other; the service says in the page where they lie.
  base: './',
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
        globPatterns: ['index.html', 'icon.svg', 'assets/*.{js,css,json,svg,woff2}'],
        // Names under assets/ hold a hash already.
        dontCacheBustURLsMatching: /^assets\//,
      },
      // It lies in public/, and register-service-worker.ts names it: of one in the page browsers load the icons at once.
      manifest: false,
    }),
    languages(),
    firstPages(),
    uploadCommand(),
    keepFloor(),
    compressed(),
  ],
  resolve: {
    // React 19 has its own; and how icons are drawn is said in icon.ts.
    alias: [
      { find: /^use-sync-external-store\/shim/, replacement: 'use-sync-external-store' },
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: `${import.meta.dirname}/src/ui/icon.ts` },
    ],
  },
  // The service puts a fresh one into each page it sends.
  html: { cspNonce: 'NONCE' },
  build: {
    target: floor,
    // A picture inside a style sheet would be data:, which the policy refuses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The service names a page's scripts in its head; a list of them within the code would be 2 KB more of it.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter(file => file.endsWith('.css')),
    },
    manifest: 'files.json',
    reportCompressedSize: false,
    rolldownOptions: {
      // What is only read, or frozen and never used, does nothing: 90 bytes of every page.
      treeshake: {
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
        manualPureFunctions: ['Object.freeze'],
      },
      input: `${import.meta.dirname}/index.html`,
      output: {
        // What every page stands on comes as one file: many small ones compress worse.
        codeSplitting: {
          groups: [
            {
              name: 'ground',
              test: /rolldown.runtime|node_modules[\\/](?:react|react-dom|scheduler|@tanstack|regexparam)[\\/]/,
            },
            // What three pages or parts share; the rest is the bundler's. Left alone, a chat came in forty files.
            { name: 'shared', minShareCount: 3 },
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
