const { readFileSync } = require('node:fs')

/** The slices of the service, in the order of `server/src/slices.ts`. */
const [, listed] = /slices: readonly Slice\[\] = \[([^\]]+)\]/.exec(readFileSync('server/src/slices.ts', 'utf8'))
/** The order of the rooms inside the server: each may import only what stands to its left. */
const rooms = ['words', 'platform', 'slice', ...listed.match(/\w+/g), 'app', 'main']

const tests = '\\.test\\.ts$|^(server|web)/test/'
/** Settings are read once and handed down, so their types are known from the far left on. */
const settings = '^server/src/settings/(config|setting|(limit|mail|provider|push|storage)-settings)\\.ts$'
const filesOf = room =>
  ({
    platform: '^server/src/platform/',
    slice: '^server/src/slice\\.ts$',
    app: '^server/src/(app|slices|work|service-routes|open-platform)\\.ts$',
    main: '^server/src/((main|foundation|service|start-refusal|stopping)\\.ts$|(command|invariants|processes|sandbox)/|settings/(settings-file|start-options)\\.ts$)',
  })[room] ?? `^server/src/${room}/`

/** The same in the web client: `app` is what all stand on, `shell` what stands on all. */
const webRooms = [
  'app',
  'ui',
  'people',
  'events',
  'plans',
  'gallery',
  'polls',
  'chats',
  'notifications',
  'accounts',
  'overview',
  'wall',
  'installed',
  'shell',
]
const webLeftToRight = webRooms.slice(0, -1).map((room, index) => ({
  name: `web-${room}-imports-only-from-its-left`,
  comment: `The order is ${webRooms.join(' <- ')}: two folders that import each other are one in two places.`,
  severity: 'error',
  from: { path: `^web/src/${room}/` },
  to: { path: webRooms.slice(index + 1).map(other => `^web/src/${other}/`) },
}))

const leftToRight = rooms.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-only-from-its-left`,
  comment: `The order is ${rooms.join(' <- ')}: what ${room} says about the rooms on its right, they tell it themselves, or nobody can read one slice without all the others.`,
  severity: 'error',
  from: { path: filesOf(room), pathNot: tests },
  to: {
    path: rooms.slice(index + 1).map(filesOf),
    // What a slice hands in is named by types of all slices.
    ...(room === 'slice' && { dependencyTypesNot: ['type-only'] }),
  },
}))

const roomless = { path: '^server/src/', pathNot: [tests, settings, ...rooms.map(filesOf)] }

module.exports = {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'The contract is data that the server, the SDK and browsers share: it may lean on zod and nothing else.',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: tests },
      to: { pathNot: ['^contract/src/', '^node_modules/zod/'] },
    },
    {
      name: 'sdk-knows-only-the-contract',
      comment: 'The SDK runs in browsers and phones: the server, Node or a library would have to travel with it.',
      severity: 'error',
      // What reads files in Node stands apart and is imported by nothing here.
      from: { path: '^sdk/src/', pathNot: [tests, '^sdk/src/(node\\.ts$|cli/|listen/)'] },
      to: { pathNot: ['^sdk/src/', '^contract/src/', '^node_modules/(zod|socket\\.io-client|tus-js-client)/'] },
    },
    {
      name: 'sdk-imports-the-contract-as-types',
      comment: 'A value imported from the contract would bring zod into every client: write `import type`.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: tests },
      to: { path: ['^contract/src/', '^node_modules/zod/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'conformance-stands-alone',
      comment: 'The kit judges any server by the document: what it shared with ours, it could not find wrong.',
      severity: 'error',
      from: { path: '^conformance/src/', pathNot: tests },
      to: { pathNot: ['^conformance/src/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'web-stands-on-the-sdk',
      comment:
        'The web client proves that the interface suffices: it reaches the service through the SDK, and knows of the contract its types, its limits, its themes, and how a text gets its values.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: tests },
      to: {
        path: '^(server|contract|demo|bench|bin)/',
        pathNot: '^contract/src/(texts|limits|events/themes)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    ...webLeftToRight,
    {
      name: 'nobody-imports-the-server',
      comment:
        'The server is reached over its interface, so that it can change behind it. (bin and bench start it and its database.)',
      severity: 'error',
      from: { path: '^(contract|sdk|demo|web)/', pathNot: tests },
      to: { path: '^server/' },
    },
    {
      name: 'the-proof-is-a-stranger',
      comment:
        'A checker that shares code with what it checks shares its mistakes: the proof knows HTTP, SQL, files and processes, and nobody knows the proof. What plays the part of others is shared: an S3 server, the network before it, a browser; and how much of the tests is run.',
      severity: 'error',
      from: { path: '^proof/' },
      to: {
        path: '^(bin|contract|server|sdk|bench|demo|web)/',
        pathNot: '^server/test/(ceph|s3-proxy|full|tools|push/browser)\\.ts$',
      },
    },
    {
      name: 'service-imports-no-tests',
      comment: 'What only tests need must not be part of the running service.',
      severity: 'error',
      from: { path: '^(contract|server|sdk)/src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'slices-meet-by-verbs-and-doors',
      comment:
        "Another slice's store, routes or present would tie two slices by their tables and wire names: call its verb or open its door instead. Only the minimal user (accounts/present-person.ts) is presented for all.",
      severity: 'error',
      from: { path: '^server/src/([^/]+)/', pathNot: tests },
      to: {
        path: '^server/src/[^/]+/.*(store|routes|present)\\.ts$',
        pathNot: ['^server/src/($1|platform)/'],
      },
    },
    ...leftToRight,
    ...[
      { from: roomless, to: {} },
      { from: {}, to: roomless },
    ].map(sides => ({
      name: 'every-file-lies-in-a-room',
      comment: 'A file outside of the order may import all and be imported by all: name its room above.',
      severity: 'error',
      ...sides,
    })),
    {
      name: 'settings-stand-left-of-everything',
      comment:
        'Every room takes its settings from there, so settings may know only the sentence that stops a start, and how the address of a database is read.',
      severity: 'error',
      from: { path: settings },
      to: {
        path: '^server/',
        pathNot: [settings, '^server/src/platform/(process/cannot-start|database/database-address)\\.ts$'],
      },
    },
    {
      name: 'no-cycles',
      comment:
        'Two files that import each other are one file in two places: neither can be loaded or tested alone. (Types alone may look both ways.)',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-unresolved',
      comment: 'The import leads nowhere, so starting this file would fail.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(data|coverage|dist[^/]*)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
