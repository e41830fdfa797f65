/** Generates the operations of each slice and the resource names of the SDK from the contract. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operationsBySlice } from '../contract/src/operations.ts'
import type { FileField, Route } from '../contract/src/route.ts'

const contract = join(import.meta.dirname, '../contract/src')
const heading = '/* Generated from the contract by `npm run documents`. */'

/** File name → text, for every generated file of the SDK. */
export const sdkDocuments = async (): Promise<Map<string, string>> => {
  const declared = await declarations()
  return new Map([
    ['resources.ts', resources(declared.filter(({ kind }) => kind === 'shape'))],
    ...Object.entries(operationsBySlice).map(
      ([slice, operations]) => [`operations/${slice}.ts`, operationsOf(operations, declared)] as const,
    ),
    ['operations/slices.ts', slicesOf(Object.keys(operationsBySlice))],
  ])
}

type Declared = { kind: string; name: string; path: string }
const declarations = async (): Promise<Declared[]> => {
  const files = (await readdir(contract, { recursive: true })).filter(name => /^[a-z/-]+\.ts$/.test(name)).sort()
  const found = files.map(async file => {
    const text = await readFile(join(contract, file), 'utf8')
    const matches = text.matchAll(/^export const (?<name>\w+) = (?<kind>route|shape)\(/gm)
    return [...matches].map(({ groups }) => ({ ...groups, path: file.replace('.ts', '') }) as Declared)
  })
  return (await Promise.all(found)).flat()
}

const camel = (path: string) => path.replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())
const typeOf = ({ path, name }: Declared) => `typeof ${camel(path)}.${name}`
const importsOf = (declared: readonly Declared[]) =>
  [...new Set(declared.map(({ path }) => path))]
    .sort()
    .map(path => `import type * as ${camel(path)} from '@afterglow/contract/${path}'`)

const operationsOf = (operations: readonly Route[], declared: readonly Declared[]) => {
  const used: Declared[] = []
  // By name: how a module lists its exports is up to its loader.
  const lines = operations
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, at: [address = []], files }) => {
      const declaration = declared.find(each => each.kind === 'route' && each.name === name) as Declared
      used.push(declaration)
      const types = [typeOf(declaration), ...(files ? [filesOf(files)] : [])].join(', ')
      return `export const ${name} = operation<${types}>('${address[0]}', '${address[1]}')`
    })
  return [heading, ...importsOf(used), "import { operation } from '../operation.ts'", '', ...lines, ''].join('\n')
}

const filesOf = (files: Record<string, FileField>) => {
  const fields = Object.entries(files).map(
    ([name, { many, required }]) => `${name}${required === true ? '' : '?'}: Blob${many ? '[]' : ''}`,
  )
  return `{ ${fields.join('; ')} }`
}

/** Webhooks are for services: their operations come with what checks signatures (`webhooks.ts`). */
const slicesOf = (names: readonly string[]) => {
  const offered = names.filter(name => name !== 'webhooks')
  const imports = offered.toSorted().map(name => `import * as ${name} from './${name}.ts'`)
  return [heading, ...imports, '', `export const slices = { ${offered.join(', ')} }`, ''].join('\n')
}

const resources = (shapes: readonly Declared[]) => {
  const named = shapes.filter(({ path }) => path !== 'words')
  return [
    heading,
    ...importsOf(named),
    "import type { Resource } from '@afterglow/contract/route'",
    '',
    ...named.map(shape => `export type ${shape.name} = Resource<${typeOf(shape)}>`),
    '',
  ].join('\n')
}
