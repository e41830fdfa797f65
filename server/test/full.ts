/** With FULL=1 what takes long runs at its whole size: every engine at every size, thousands of files, gigabytes. */
export const full = process.env.FULL === '1'
