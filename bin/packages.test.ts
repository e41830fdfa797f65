import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { resolve as resolveAsMetro } from 'metro-resolver'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { operations } from '../contract/src/operations.ts'
import { openTestApp } from '../server/test/app.ts'
import { enter } from '../server/test/cast.ts'
import { full } from '../server/test/full.ts'
import { newFolder } from '../server/test/new-folder.ts'
import { bringIn, evening } from '../server/test/party.ts'
import { padded } from '../server/test/picture-blocks.ts'
import { jpeg } from '../server/test/pictures.ts'
import { whenDone } from '../server/test/when-done.ts'
import { makePackages, packPackages, published } from './packages.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const folder = newFolder('packages')

/** A project with nothing but the tarballs and their dependencies. */
const project = join(folder, 'project')
const modules = join(project, 'node_modules')
const tarballs = packPackages(await makePackages(join(folder, 'made')), folder)
await mkdir(join(modules, '@afterglow'), { recursive: true })
await writeFile(join(project, 'package.json'), '{ "type": "module" }')
for (const name of published) {
  const directory = join(modules, '@afterglow', name)
  await mkdir(directory)
  execFileSync('tar', ['xzf', tarballs[name], '--strip-components=1', '-C', directory])
}
const manifest = (name: string) => JSON.parse(readFileSync(join(modules, '@afterglow', name, 'package.json'), 'utf8'))
const needed = [...new Set(published.flatMap(name => Object.keys(manifest(name).dependencies ?? {})))]
for (const name of needed)
  if (!name.startsWith('@afterglow/')) await symlink(join(root, 'node_modules', name), join(modules, name))

const app = await openTestApp()
const files = async (name: string) => (await readdir(join(modules, '@afterglow', name))).sort()

describe.each(published)('the package of %s', name => {
  test('the package has JavaScript, types, words and a licence, but no tests', async () => {
    const held = await files(name)
    expect(held).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    const scripts = held.filter(file => file.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(8)
    for (const script of scripts) expect(held).toContain(script.replace(/\.js$/, '.d.ts'))
    expect(held.filter(file => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
    expect(manifest(name)).toMatchObject({ license: 'Apache-2.0' })
    expect(manifest(name)).not.toHaveProperty('private')
  })
})

/** Tests the oldest supported Node too, if installed. */
const nodes = [process.execPath, ...['/usr/local/bin/node', '/usr/bin/node'].filter(existsSync)]
test.each(nodes)('the tour runs under %s', async node => {
  const tour = join(modules, '@afterglow/sdk/examples/tour.js')
  const { stdout } = await run(node, [tour, app.url])
  expect(stdout).toContain('Gus: On my way! 🎉')
  expect(stdout).toContain('sent twice, there once: true')
  expect(stdout).toContain('refused: 404 noSuchChat')
})

test.each(nodes)('every entry point of both packages can be imported under %s', async node => {
  const entries = published.flatMap(name =>
    Object.keys(manifest(name).exports)
      .filter(entry => !entry.includes('*') && !entry.endsWith('.json'))
      .map(entry => `@afterglow/${name}${entry.slice(1)}`),
  )
  const contract = ['accounts', 'chats', 'gallery', 'operations', 'openapi', 'realtime', 'words']
  const all = [...entries, ...contract.map(each => `@afterglow/contract/${each}`)]
  const program = `for (const entry of ${JSON.stringify(all)}) await import(entry); console.log('imported')`
  await writeFile(join(project, 'imports.mjs'), program)
  expect((await run(node, [join(project, 'imports.mjs')])).stdout).toContain('imported')
})

test.each(nodes)('the packed SDK’s command uploads a folder under %s', async node => {
  const olivia = await enter(app, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening())
  const card = await mkdtemp(join(folder, 'card-'))
  await writeFile(join(card, 'DSC_0412.JPG'), await jpeg({ width: 96, height: 64, seed: 412 }))
  // npm links it like this.
  const command = join(card, 'afterglow')
  await symlink(join(modules, '@afterglow/sdk', manifest('sdk').bin.afterglow), command)
  const args = ['upload', card, '--event', `${app.url}/events/${id}`]
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: join(card, 'state'), AFTERGLOW_TOKEN: olivia.token }
  const said = async (...more: string[]) => (await run(node, [command, ...args, ...more], { env })).stdout
  expect(await said('--dry-run')).toContain('1 would be sent')
  expect(await said()).toContain('1 safe, 0 were there before, 0 refused')
  expect(await said()).toContain('0 safe, 1 were there before, 0 refused')
  await expect(run(node, [command, 'upload', card], { env })).rejects.toMatchObject({ code: 2 })
})

test('the conformance kit runs from its tarball', async () => {
  const kit = join(modules, '@afterglow/conformance', manifest('conformance').bin['afterglow-conformance'])
  const { stdout } = await run(process.execPath, [kit, app.url, '--only', 'realtime'])
  expect(stdout).toContain('✓ realtime.ping: ')
})

test('the types compile under --strict with every module resolution', async () => {
  await writeFile(
    join(project, 'typed.ts'),
    `import { afterglow, AfterglowError } from '@afterglow/sdk'
import { connect } from '@afterglow/sdk/realtime'
import type { Message } from '@afterglow/contract/chats/message'
import type { z } from 'zod'
const api = afterglow({ baseUrl: 'https://party.example', token: 'x' })
export const newest = async (): Promise<z.output<typeof Message> | undefined> =>
  (await api.chats.listMessages({ group_chat_id: 1, page: 1, page_length: 1 })).data[0]
export const codeOf = (error: unknown): string | undefined => (error instanceof AfterglowError ? error.code : undefined)
connect({ baseUrl: 'https://party.example', token: 'x' }).on('message.created', ({ message_content }) => message_content.trim())
// @ts-expect-error a chat is named
void api.chats.listMessages({ page: 1, page_length: 1 })
`,
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const)
    await run(
      process.execPath,
      [
        compiler,
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
        '--module',
        module,
        '--moduleResolution',
        resolution,
        'typed.ts',
      ],
      { cwd: project },
    ).catch(error => expect(error.stdout).toBe(''))
})

test('an editor shows a method’s purpose, limit and refusals, and resolves resources by name', () => {
  const file = join(project, 'as-typed-by-an-author.ts')
  const source = `import { afterglow, eachOf, type Message } from '@afterglow/sdk'
const api = afterglow({ baseUrl: 'https://party.example', timeoutMs: 1000, retries: 2 })
const sent: Message = await api.chats.saveMessage({ group_chat_id: 1, message_content: 'Hello' }, { retries: 1 })
for await (const photo of eachOf(api.gallery.listPhotos, { event_id: 1 })) photo.event_photo_url satisfies string
sent.message_content satisfies string
`
  // The TypeScript language service, as editors use it.
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: name => {
      const text = name === file ? source : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => project,
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: name => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  })
  const faults = service
    .getSemanticDiagnostics(file)
    .map(each => ts.flattenDiagnosticMessageText(each.messageText, '\n'))
  expect(faults).toEqual([])
  const shown = service.getQuickInfoAtPosition(file, source.indexOf('saveMessage'))
  const documentation = ts.displayPartsToString(shown?.documentation)
  expect(documentation).toContain('Sends a message or, with message_id, edits one.')
  expect(documentation).toContain('at most 200 times a minute')
  const thrown = shown?.tags?.filter(({ name }) => name === 'throws').map(({ text }) => ts.displayPartsToString(text))
  expect(thrown?.join('\n')).toContain('notInEvent: The user is neither a guest nor an organizer of the event')
})

test('every method of the packed SDK has its comment', async () => {
  const within = join(modules, '@afterglow/sdk/operations')
  const names = (await readdir(within)).filter(name => name.endsWith('.d.ts') && name !== 'slices.d.ts')
  const texts = names.map(name => readFileSync(join(within, name), 'utf8'))
  const commented = texts.flatMap(text =>
    [...text.matchAll(/ \*\/\nexport declare const (\w+):/g)].map(([, name]) => name),
  )
  expect(commented.sort()).toEqual(operations.map(({ name }) => name).sort())
})

test('a bundler makes one browser file of the SDK, without zod', async () => {
  await writeFile(join(project, 'browser.js'), `export { afterglow } from '@afterglow/sdk'\n`)
  const bundle = await rolldown({ input: join(project, 'browser.js'), platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm' })
  expect(output).toHaveLength(1)
  expect(output[0]?.code).toContain('afterglow')
  expect(output[0]?.code).not.toContain('ZodObject')
})

test.each([true, false])('React Native finds every entry point, reading exports: %s', reads => {
  const isFile = (path: string) => existsSync(path) && statSync(path).isFile()
  const context = {
    allowHaste: false,
    assetExts: new Set(['png']),
    customResolverOptions: {},
    dev: true,
    disableHierarchicalLookup: false,
    doesFileExist: isFile,
    extraNodeModules: null,
    fileSystemLookup: (path: string) =>
      existsSync(path) ? { exists: true, type: isFile(path) ? 'f' : 'd', realPath: path } : { exists: false },
    getPackage: (path: string) => (isFile(path) ? JSON.parse(readFileSync(path, 'utf8')) : null),
    getPackageForModule: (path: string) => {
      const [, name, rest] = /@afterglow\/(\w+)\/?(.*)$/.exec(path) ?? []
      const rootPath = join(modules, '@afterglow', name ?? '')
      return name ? { rootPath, packageJson: manifest(name), packageRelativePath: rest ?? '' } : null
    },
    mainFields: ['react-native', 'browser', 'main'],
    nodeModulesPaths: [],
    originModulePath: join(project, 'App.js'),
    preferNativePlatform: true,
    redirectModulePath: (path: string) => path,
    resolveAsset: () => null,
    resolveHasteModule: () => null,
    resolveHastePackage: () => null,
    resolveRequest: null,
    sourceExts: ['js', 'json'],
    unstable_conditionNames: ['require', 'import', 'react-native'],
    unstable_conditionsByPlatform: {},
    unstable_enablePackageExports: reads,
    unstable_incrementalResolution: false,
    unstable_logWarning: () => {},
    isESMImport: true,
  }
  for (const [entry, file] of [
    ['@afterglow/sdk', 'sdk/client.js'],
    ['@afterglow/sdk/realtime', 'sdk/realtime.js'],
    ['@afterglow/sdk/upload', 'sdk/upload.js'],
    ['@afterglow/contract/chats/message', 'contract/chats/message.js'],
  ] as const)
    expect(resolveAsMetro(context as never, entry, 'ios')).toEqual({
      type: 'sourceFile',
      filePath: join(modules, '@afterglow', file),
    })
})

const example = join(root, 'examples/expo')
await cp(join(example, 'src/party.ts'), join(project, 'party.ts'))
describe('the example for phones', () => {
  test('the example signs in, sends an offline message once, catches up, resumes a photo and registers for pushes', async () => {
    const compiled = join(project, 'party.mjs')
    const bundle = await rolldown({ input: join(project, 'party.ts'), platform: 'node', logLevel: 'silent' })
    await bundle.write({ file: compiled, codeSplitting: false })
    const party = (await import(compiled)) as typeof import('../examples/expo/src/party.ts')
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const kept = new Map<string, string>()
    const texts: Parameters<typeof party.openChat>[2] = {
      getItem: async name => kept.get(name) ?? null,
      setItem: async (name, text) => void kept.set(name, text),
      removeItem: async name => void kept.delete(name),
      getAllKeys: async () => [...kept.keys()],
    }
    const phone = { id: 'a phone', platform: 'android', timezone: 'Europe/Madrid' }
    const session = await party.signIn(app.url, { login: gus.username, password: gus.password }, phone)

    let shown: Parameters<Parameters<typeof party.openChat>[3]>[0] = { messages: [], waiting: [] }
    const open = (over: typeof session) => party.openChat(over, group_chat_id, texts, now => (shown = now))
    const said = () => shown.messages.map(({ message_content }) => message_content)
    const first = await open(session)
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Bring a lantern' })
    await expect.poll(said).toEqual(['Bring a lantern'])
    await first.say('Which colour?')
    await expect.poll(() => [said(), shown.waiting.length]).toEqual([['Bring a lantern', 'Which colour?'], 0])
    await expect.poll(() => kept.get(`afterglow.${gus.id}.${group_chat_id}.seen`)).toContain('Which colour?')
    first.close()

    // Drops requests and channel messages.
    const offline = async () => {
      throw new TypeError('Network request failed')
    }
    const second = await open({ ...session, baseUrl: 'http://127.0.0.1:1', fetch: offline })
    expect(said()).toEqual(['Bring a lantern', 'Which colour?'])
    await second.say('Red')
    await second.say('Or blue')
    await expect.poll(() => shown.waiting.map(({ words }) => words)).toEqual(['Red', 'Or blue'])
    second.close()
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Any' })

    const third = await open(session)
    whenDone(() => third.close())
    await expect
      .poll(() => [[...said()].sort(), shown.waiting.length])
      .toEqual([['Any', 'Bring a lantern', 'Or blue', 'Red', 'Which colour?'], 0])
    const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
    expect(data.map(({ message_content }) => message_content).reverse()).toEqual([
      'Bring a lantern',
      'Which colour?',
      'Any',
      'Red',
      'Or blue',
    ])

    const bytes = padded(await jpeg({ width: 96, height: 64, seed: 18 }), 9_000_000)
    const read: number[] = []
    const photo = {
      name: 'lanterns.jpg',
      size: bytes.length,
      mark: 'its checksum',
      async read(start: number, end: number) {
        read.push(start)
        return new Uint8Array(bytes.subarray(start, end))
      },
    }
    const leaving = new AbortController()
    const onProgress = (sent: number) => sent > 5_000_000 && leaving.abort(new Error('the app ended'))
    const broken = party.bringPhoto(session, id, photo, texts, { onProgress, signal: leaving.signal })
    await expect(broken).rejects.toThrow('the app ended')
    read.length = 0
    const uploaded = await party.bringPhoto(session, id, photo, texts)
    expect(uploaded.taken_by.id).toBe(gus.id)
    expect(Math.min(...read)).toBeGreaterThanOrEqual(4 * 1024 * 1024)
    expect([...kept.keys()].filter(name => name.startsWith('afterglow.upload.'))).toEqual([])

    await party.registerPush(session, 'a-token-of-the-phone')
    const { rows } = await sql<{ address: unknown }>`select address from push_addresses`.execute(app.db)
    expect(JSON.stringify(rows)).toContain('a-token-of-the-phone')
  })

  test.runIf(full)('Metro bundles the example for both systems, as Hermes runs it', { timeout: 900_000 }, async () => {
    const phone = join(folder, 'phone')
    await cp(example, phone, { recursive: true, filter: path => !path.includes('node_modules') })
    const within = (program: string, ...args: string[]) =>
      run(program, args, {
        cwd: phone,
        env: { ...process.env, TMPDIR: folder, CI: '1', EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1' },
      })
    await within('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', tarballs.contract, tarballs.sdk)
    await within('node_modules/.bin/tsc', '--noEmit').catch(error => expect(error.stdout).toBe(''))
    const platforms = ['android', 'ios'] as const
    await within('node_modules/.bin/expo', 'export', ...platforms.flatMap(each => ['--platform', each]))
    for (const platform of platforms) {
      const into = join(phone, 'dist/_expo/static/js', platform)
      const [bundle = ''] = await readdir(into)
      expect(bundle).toMatch(/\.hbc$/)
      const code = readFileSync(join(into, bundle)).toString('latin1')
      expect(code).toContain('api/gallery/upload/session')
    }
  })
})
