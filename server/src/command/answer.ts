import { CommanderError } from 'commander'
import { CannotStart } from '../platform/process/cannot-start.ts'
import { fileFault } from '../platform/process/file-fault.ts'

/** A command's answer: as text, and as data for `--json`. `failed` ends the program with 1. */
export type Answer = { say: string; json: unknown; failed?: boolean }

/** The request cannot be carried out as things stand: the message is the sentence to print. */
export class NotDone extends Error {
  override name = 'NotDone'
}

/** The input and output of a command. */
export type Terminal = {
  env: Record<string, string | undefined>
  print(text: string): void
  complain(text: string): void
  /** Everything that was typed or piped in. */
  typed(): Promise<string>
}

export const exitCodes = { done: 0, failed: 1, misused: 2 } as const

/** Prints an answer, or why there is none, and returns the exit code. */
export async function answer(
  work: () => Promise<Answer>,
  { print, complain }: Pick<Terminal, 'print' | 'complain'>,
  { json }: { json: boolean },
): Promise<number> {
  try {
    const answered = await work()
    print(json ? JSON.stringify(answered.json, null, 2) : answered.say)
    return answered.failed ? exitCodes.failed : exitCodes.done
  } catch (fault) {
    if (fault instanceof CommanderError) throw fault
    const sentence = fault instanceof NotDone || fault instanceof CannotStart ? fault.message : fileFault(fault)
    if (json && sentence) print(JSON.stringify({ error: sentence }, null, 2))
    complain(sentence ?? String(fault instanceof Error ? fault.stack : fault))
    return exitCodes.failed
  }
}

/** Rows as aligned columns below their names; `none` if there are no rows. */
export function columns(rows: readonly Record<string, unknown>[], none: string): string {
  const [first] = rows
  if (!first) return none
  const names = Object.keys(first)
  const cells = [names, ...rows.map(row => names.map(name => cellOf(row[name])))]
  const widths = names.map((_, at) => Math.max(...cells.map(line => [...(line[at] ?? '')].length)))
  return cells
    .map(line =>
      line
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** User-written text may contain sequences that move or colour a terminal's cursor. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  const text = value instanceof Date ? value.toISOString() : String(value)
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
