/** What an editor shows of the SDK, from the contract: a comment for each operation, and a name for each resource. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '../contract/src/operations.ts'
import type { Refusal, Route } from '../contract/src/route.ts'

const folder = join(import.meta.dirname, '../sdk/src')
const contract = join(import.meta.dirname, '../contract/src')
const lineLength = 118

/** File name → text, for every file of the SDK that is written or completed from the contract. */
export const sdkDocuments = async (): Promise<Map<string, string>> => {
  const documents = new Map([['resources.ts', await resources()]])
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    if (name.endsWith('.ts') && declaration.test(text)) documents.set(name, commented(text))
  }
  return documents
}

// ---- operations ----

const byName = new Map(operations.map(operation => [operation.name, operation]))
const declaration = /^export const (\w+) = operation</m
const declared = /(?:^\/\*\*(?:(?!\*\/)[\s\S])*?\*\/\n)?^export const (\w+) = operation</gm

const commented = (text: string) =>
  text.replaceAll(declared, (found, name: string) => {
    const operation = byName.get(name)
    return operation ? `${commentOf(operation)}\nexport const ${name} = operation<` : found
  })

const commentOf = (operation: Route): string => {
  const [method, path] = operation.at[0] as readonly [string, string]
  const refusals = Object.entries(operation.refusals)
  const lines = [
    ...wrapped(operation.summary),
    '',
    ...wrapped(`\`${method} ${path}\`, at most ${operation.perMinute} times a minute.${extrasOf(operation)}`),
    ...refusals.flatMap(([code, refusal]) => wrapped(`@throws ${code}: ${saidBy(refusal)}`)),
  ]
  return ['/**', ...lines.map(line => (line === '' ? ' *' : ` * ${line}`)), ' */'].join('\n')
}

const extrasOf = ({ idempotent, extra }: Route) =>
  [idempotent && ' Takes an `idempotencyKey`.', extra && ' Has `extra`.'].filter(Boolean).join('')

const saidBy = (refusal: Refusal) =>
  'text' in refusal ? refusal.text : 'error' in refusal ? refusal.error : refusal.error_message

const wrapped = (text: string): string[] => {
  const lines = ['']
  for (const word of text.replaceAll('*/', '* /').split(' ')) {
    const line = lines.at(-1) as string
    if (line !== '' && line.length + 1 + word.length > lineLength - 3) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

// ---- resources ----

const resources = async () => {
  const slices: string[] = []
  const types: string[] = []
  for (const name of (await readdir(contract, { recursive: true })).sort()) {
    if (!/^[a-z/-]+\.ts$/.test(name) || name === 'words.ts') continue
    const path = name.replace('.ts', '')
    const slice = path.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())
    const text = await readFile(join(contract, name), 'utf8')
    const named = [...text.matchAll(/^export const (\w+) = shape\(/gm)].map(([, shape]) => shape as string).sort()
    if (named.length === 0) continue
    slices.push(`import type * as ${slice} from '@afterglow/contract/${path}'`)
    for (const each of named) types.push(`export type ${each} = Resource<typeof ${slice}.${each}>`)
  }
  slices.push("import type { Resource } from '@afterglow/contract/route'")
  slices.sort((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1))
  return `/* Written by \`npm run documents\`: the resources of the interface as types. */\n${slices.join('\n')}\n\n${types.join('\n')}\n`
}

const pathOf = (line: string) => line.slice(line.indexOf("'"))
