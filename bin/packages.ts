/**
 * Builds the contract and the SDK as npm packages: compiled JavaScript, types, words. Leaves the working tree
 * unchanged.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { commented } from './sdk-comments.ts'

const root = join(import.meta.dirname, '..')

type Manifest = {
  name: string
  version: string
  description: string
  exports: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  bin?: Record<string, string>
}

export const published = ['contract', 'sdk', 'conformance'] as const
type PackageName = (typeof published)[number]

const inEach = <Made>(make: (name: PackageName) => Made) =>
  Object.fromEntries(published.map(name => [name, make(name)])) as Record<PackageName, Made>

/** Creates the packages below `into`, ready for `npm pack`. Returns the directory of each. */
export const makePackages = async (into: string, asVersion?: string): Promise<Record<PackageName, string>> => {
  const version = asVersion ?? JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
  for (const name of published) await make(name, join(into, name), version)
  return inEach(name => join(into, name))
}

/** Packs them. Returns the paths of the tarballs. */
export const packPackages = (directories: Record<PackageName, string>, into: string): Record<PackageName, string> => {
  const pack = (directory: string) =>
    join(
      into,
      execFileSync('npm', ['pack', '--silent', '--pack-destination', into], { cwd: directory }).toString().trim(),
    )
  return inEach(name => pack(directories[name]))
}

const make = async (name: PackageName, directory: string, version: string) => {
  const source = join(root, name, 'src')
  const files = (await readdir(source, { recursive: true })).filter(file => /(?<!\.test)\.(ts|json)$/.test(file))
  await mkdir(directory, { recursive: true })
  compile(
    files.filter(file => file.endsWith('.ts')).map(file => join(source, file)),
    { from: source, into: directory },
  )
  for (const file of files.filter(each => each.endsWith('.json'))) await cp(join(source, file), join(directory, file))
  for (const file of await readdir(directory, { recursive: true }))
    if (file.endsWith('.d.ts')) {
      const text = await readFile(join(directory, file), 'utf8')
      const imported = text.replaceAll(/((?:from|import\() ?['"]\.\.?\/[\w./-]+)\.ts(['"])/g, '$1.js$2')
      await writeFile(join(directory, file), commented(imported))
    }
  for (const file of ['README.md', 'LICENSE']) await cp(join(root, name, file), join(directory, file))
  await cp(join(root, name, 'examples'), join(directory, 'examples'), { recursive: true }).catch(() => {})
  const manifestOf = async (of: PackageName): Promise<Manifest> =>
    JSON.parse(await readFile(join(root, of, 'package.json'), 'utf8'))
  const manifest = {
    ...asPublished(await manifestOf(name), version, (await manifestOf('contract')).dependencies),
    ...placeOf(name),
  }
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

const compile = (files: string[], { from, into }: { from: string; into: string }) => {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    skipLibCheck: true,
    rootDir: from,
    outDir: into,
  })
  // Other packages are imported by name, not copied.
  const own = program.getSourceFiles().filter(file => file.fileName.startsWith(from) && !file.isDeclarationFile)
  const results = own.map(file => program.emit(file))
  const faults = results.flatMap(({ diagnostics }) => diagnostics)
  if (faults.length > 0 || results.some(({ emitSkipped }) => emitSkipped))
    throw new Error(
      ts.formatDiagnostics(faults, {
        getCanonicalFileName: name => name,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    )
}

/** `REPOSITORY_URL`, or the checkout's origin; undefined if there is none. */
const repositoryUrl = (): string | undefined => {
  const { REPOSITORY_URL } = process.env
  if (REPOSITORY_URL) return REPOSITORY_URL
  try {
    const origin = execFileSync('git', ['config', '--get', 'remote.origin.url'], { cwd: root }).toString().trim()
    return /^(?:https:\/\/|git@)/.test(origin) ? origin.replace(/^git@([^:]+):/, 'https://$1/') : undefined
  } catch {
    return undefined
  }
}
const placeOf = (directory: string) => {
  const url = repositoryUrl()
  return (
    url && {
      repository: { type: 'git', url: `git+${url}`, directory },
      bugs: { url: `${url.replace(/\.git$/, '')}/issues` },
    }
  )
}

const compiled = (path: string) => path.replace('./src/', './').replace(/\.ts$/, '.js')

const asPublished = (
  { name, description, exports, dependencies, devDependencies, bin }: Manifest,
  version: string,
  ofContract: Manifest['dependencies'],
) => ({
  name,
  version,
  description,
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  // Resolvers that ignore exports find files by path, so these lie at the root.
  ...(exports['.'] && { main: compiled(exports['.']), types: compiled(exports['.']).replace(/\.js$/, '.d.ts') }),
  exports: {
    ...Object.fromEntries(
      Object.entries(exports).map(([at, path]) => [
        at,
        { types: compiled(path).replace(/\.js$/, '.d.ts'), default: compiled(path) },
      ]),
    ),
    './package.json': './package.json',
  },
  ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([word, path]) => [word, compiled(path)])) }),
  dependencies: {
    ...dependencies,
    // Our types include its types and what they are made of.
    ...(devDependencies?.['@afterglow/contract'] && { ...ofContract, '@afterglow/contract': version }),
  },
})
