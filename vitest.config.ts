import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,sdk,bench,bin}/**/*.test.ts'],
    globalSetup: ['server/test/database.ts'],
    // Processes of their own, as native modules (sharp, argon2) and signals are part of what is tested.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
  },
})
