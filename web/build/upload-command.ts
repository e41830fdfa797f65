import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

/** Packs the upload command into one file, `afterglow.mjs`, which the service hands out for uploads from a computer. */
export const uploadCommand = (): Plugin => {
  let outDir = ''
  return {
    name: 'upload-command',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      sequential: true,
      async handler() {
        await build({
          configFile: false,
          logLevel: 'warn',
          ssr: { noExternal: true, target: 'node' },
          build: {
            ssr: join(import.meta.dirname, '../../sdk/src/cli/main.ts'),
            outDir,
            emptyOutDir: false,
            target: 'node20',
            copyPublicDir: false,
            rolldownOptions: { output: { entryFileNames: 'afterglow.mjs', codeSplitting: false } },
          },
        })
      },
    },
  }
}
