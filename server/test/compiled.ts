import { join } from 'node:path'

/** Environment with the compile cache, as for `npm start`: saves half a second of each start. */
export const compiled = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../node_modules/.cache/node'),
}
