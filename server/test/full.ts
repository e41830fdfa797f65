/** With FULL=1 what takes long runs at its whole size, and `*.full.test.ts` at all: thousands of files, gigabytes. */
export const full = process.env.FULL === '1'
