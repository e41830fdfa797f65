/** Generates the hover texts of the packed SDK from the contract. */
import { operations } from '../contract/src/operations.ts'
import type { Refusal, Route } from '../contract/src/route.ts'

const lineLength = 118
const byName = new Map(operations.map(operation => [operation.name, operation]))

/** The declarations of a `.d.ts` file, with a comment before every operation. */
export const commented = (declarations: string): string =>
  declarations.replaceAll(/^export declare const (\w+): .*\bOperation</gm, (found, name: string) => {
    const operation = byName.get(name)
    return operation ? `${commentOf(operation)}\n${found}` : found
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
