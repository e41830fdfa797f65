/** docs/refusals/: a page for each code, made from the contract. */
import { operations } from '../contract/src/operations.ts'
import { generalCodes, invalidCode } from '../contract/src/refusal-codes.ts'
import { refusalPages } from '../contract/src/refusal-pages.ts'
import type { Refusal } from '../contract/src/route.ts'
import { streams } from '../contract/src/streams.ts'

type Given = { operation: string; address: string; refusal: Refusal }

/** File name → text. */
export const refusalDocuments = (): Map<string, string> => {
  const codes = Object.keys(refusalPages).sort()
  return new Map([
    ['README.md', index(codes)],
    ...codes.map((code): [string, string] => [`${code}.md`, page(code as keyof typeof refusalPages)]),
  ])
}

const index = (codes: string[]) => `# Refusals

Every reply that refuses carries \`X-Refusal: <code>\`. Compare codes, never sentences: sentences are for people. A code that a client does not know is read by its status. This folder is made by \`npm run documents\`.

| Code | Status | What led to it |
|---|---|---|
${codes.map(code => `| [${code}](${code}.md) | ${statusesOf(code).join(', ')} | ${refusalPages[code as keyof typeof refusalPages].cause} |`).join('\n')}
`

const page = (code: keyof typeof refusalPages) => {
  const { cause, client } = refusalPages[code]
  const given = givenBy(code)
  const rows = given.map(
    ({ operation, address, refusal }) =>
      `| ${operation} | \`${address}\` | ${refusal.status} | \`${'text' in refusal ? refusal.text : JSON.stringify(bodyOf(refusal))}\` |`,
  )
  return `# ${code}

Status ${statusesOf(code).join(', ')}.

**What led to it.** ${cause}

**What a client does.** ${client}

${rows.length > 0 ? `| Operation | | Status | Body |\n|---|---|---|---|\n${rows.join('\n')}` : 'Any operation may answer it.'}
`
}

const bodyOf = ({ status: _, ...body }: Refusal) => body

const givenBy = (code: string): Given[] =>
  [
    ...operations.map(({ name, at: [first = []], refusals }) => ({ name, at: first, refusals })),
    ...streams.map(({ name, at, refusals }) => ({ name, at, refusals })),
  ]
    .flatMap(({ name, at, refusals }) =>
      code in refusals ? [{ operation: name, address: at.join(' '), refusal: refusals[code] as Refusal }] : [],
    )
    .sort((one, other) => (one.operation < other.operation ? -1 : 1))

const statusesOf = (code: string): number[] => {
  if (code === invalidCode) return [400]
  const general = Object.entries(generalCodes).flatMap(([status, each]) => (each === code ? [Number(status)] : []))
  return [...new Set([...general, ...givenBy(code).map(({ refusal }) => refusal.status)])].sort()
}
