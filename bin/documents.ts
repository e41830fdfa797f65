/** `npm run documents`: writes what is documented from the contract. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refusalDocuments } from './refusal-pages.ts'
import { sdkDocuments } from './sdk-comments.ts'

const folder = join(import.meta.dirname, '../docs/refusals')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const [name, text] of refusalDocuments()) await writeFile(join(folder, name), text)

const sdk = join(import.meta.dirname, '../sdk/src')
for (const [name, text] of await sdkDocuments()) await writeFile(join(sdk, name), text)
