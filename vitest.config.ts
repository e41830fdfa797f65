import { relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { skippedTests } from './bin/skipped-tests.ts'
import { languages } from './web/build/languages.ts'

/**
 * The longest first, or the last of them would run alone; vitest would go by the size of a file, which says nothing of
 * these. By the seconds that they take on two cores, of ten and more.
 */
const longest = [
  ...['proof/', 'bin/packages', 'bin/release', 'bin/production', 'web/test/engines', 'platform/video/videos'],
  ...['web/test/layout', 'conformance/', 'events/matrix', 'server/test/repeats', 'web/test/below-a-path'],
  ...['server/src/main', 'test/revoked-links', 'cli/upload', 'chats/messages/videos', 'backup/backup', 'storage/s3'],
  ...['gallery/matrix', 'test/several-processes', 'chats/matrix', 'test/link-matrix', 'web/test/accessibility'],
  ...[
    'web/test/uploads-in-progress',
    'web/test/returning',
    'web/test/older-browsers',
    'pictures/picture',
    'web/test/viewer',
  ],
  ...['webhooks/webhooks', 'web/test/wall', 'album-zip', 'embedded-database/', 'database/database-away', 'one-photo'],
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex(each => relative(import.meta.dirname, moduleId).includes(each))
      return at < 0 ? longest.length : at
    }
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

/** An order of chance, to be had again: `npm test -- --shuffle`, or with this seed. */
const seed = Number(process.env.SEED)
const asked = process.argv.slice(3).filter(word => !word.startsWith('-'))

export default defineConfig({
  plugins: [languages()],
  test: {
    // Fixtures are what the tests of a test run run.
    include: asked.some(path => path.includes('.fixture.ts'))
      ? ['bin/fixtures/*.fixture.ts']
      : ['{contract,conformance,server,sdk,bench,proof,bin,web}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...skippedTests(asked).map(({ pattern }) => pattern)],
    globalSetup: ['server/test/database.ts', 'server/test/s3-server.ts'],
    runner: 'server/test/runner.ts',
    setupFiles: ['server/test/setup.ts'],
    tags: [{ name: 'slow', description: 'Three seconds and more: in the full run, and when the file is named.' }],
    env: { ASKED: asked.length > 0 ? '1' : '' },
    // Processes of their own, as native modules (sharp, argon2) and signals are part of what is tested.
    pool: 'forks',
    // One more than the cores of a small machine: a third of the time a test waits for a service, a browser or a timer.
    maxWorkers: 3,
    sequence: seed ? { shuffle: { files: true }, seed } : { sequencer: LongestFirst },
    // A worker keeps what it has loaded (40 s instead of 54): no test here replaces a module or leaves one changed.
    isolate: false,
    // How long things take is measured in bench/; here a busy machine may take its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A test that passes only when tried again is named, and fails the nightly run, which sets STRICT.
    retry: process.env.STRICT ? 0 : 1,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
