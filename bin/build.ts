/**
 * `npm run build`: does ahead what a start would otherwise do at first, for installs whose files are read-only later.
 * `npm run build:production` does the same, then removes what only builds and tests need.
 */
import { findPostgresBinaries } from '../server/src/platform/embedded-database/postgres-binaries.ts'
import { buildClient, isBuilt } from '../server/src/platform/web-client/build.ts'
import { leaveOutTools } from './production.ts'

await findPostgresBinaries({})
if (!(await isBuilt())) await buildClient()
if (process.argv.includes('--production')) console.log(leaveOutTools())
console.log('Built: nothing below this directory need be written from now on.')
