/** `npm run build`: what a start would otherwise do at first, for installs whose files nobody may write later. */
import { findPostgresBinaries } from '../server/src/platform/postgres-binaries.ts'
import { buildClient, isBuilt } from '../server/src/platform/web-client/build.ts'

await findPostgresBinaries({})
if (!(await isBuilt())) await buildClient()
console.log('Built: nothing below this directory need be written from now on.')
