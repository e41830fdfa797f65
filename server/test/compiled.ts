import { join } from 'node:path'

/** In the environment of our programs: they keep what they compiled, as `npm start` does. Half a second less of each start. */
export const compiled = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../node_modules/.cache/node'),
}
