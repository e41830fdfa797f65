import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Edit } from '../instance/service.ts'

export type Program = {
  /** The repository, or a copy of it. */
  root: string
  /** A program below `server/src/command`, with its arguments. */
  words: readonly [program: string, ...args: string[]]
  env: Record<string, string>
  edits?: readonly Edit[]
}

/** Runs an operator's program beside the service and returns its output. */
export const runProgram = async ({ root, words: [program, ...args], env, edits = [] }: Program) => {
  const editing = edits.length > 0 ? ['--import', new URL('../source-edits.ts', import.meta.url).pathname] : []
  const child = spawn(process.execPath, [...editing, join('server/src/command', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...(edits.length > 0 && { PROOF_EDITS: JSON.stringify(edits) }), ...env },
  })
  const [said, complaint, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, signal, said: said + complaint }
}
