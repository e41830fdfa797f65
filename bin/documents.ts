/** `npm run documents`: generates the documents from the contract. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refusalDocument } from './refusal-pages.ts'
import { sdkDocuments } from './sdk-operations.ts'

await writeFile(join(import.meta.dirname, '../docs/refusals.md'), refusalDocument())

const sdk = join(import.meta.dirname, '../sdk/src')
for (const [name, text] of await sdkDocuments()) await writeFile(join(sdk, name), text)
