import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const file = join(import.meta.dirname, 'as-typed-by-an-author.ts')
const source = `import { afterglow, eachOf, type Message } from './client.ts'
const api = afterglow({ baseUrl: 'https://party.example', timeoutMs: 1000, retries: 2 })
const sent: Message = await api.chats.saveMessage({ group_chat_id: 1, message_content: 'Hello' }, { retries: 1 })
for await (const photo of eachOf(api.gallery.listPhotos, { event_id: 1 })) photo.event_photo_url satisfies string
sent.message_content satisfies string
`

/** What an editor knows of the source: the TypeScript language service, as every editor asks it. */
const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: name => {
    const text = name === file ? source : ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => ({
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: name => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
})

test('an editor shows what a method does, its limit and its refusals, and knows the resources by name', () => {
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
