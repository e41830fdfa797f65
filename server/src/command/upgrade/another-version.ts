import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { nodeIn } from '../../platform/process/releases.ts'
import { NotDone } from '../answer.ts'
import type { Instance } from './upgrade.ts'

/** The user whose instance it is: root would leave files there that the service cannot read. Empty: ourselves. */
export const ownerOf = (dataDir: string): { uid?: number; gid?: number } => {
  const { uid, gid } = statSync(dataDir)
  return process.getuid?.() === 0 ? { uid, gid } : {}
}

/** Runs a command of that version on the instance; throws NotDone with its sentence. */
export async function answerOf<Result>({ config, env }: Instance, tree: string, args: string[]): Promise<Result> {
  const child = spawn(nodeIn(tree), ['server/src/command/main.ts', '--json', ...args], {
    cwd: tree,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ownerOf(config.dataDir),
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  const [out, complaint] = await said
  const answered = parsed(out)
  if (code !== 0) throw new NotDone(answered?.error ?? (complaint.trim() || `it ended with ${code}`))
  return answered as Result
}

function parsed(out: string): { error?: string } | undefined {
  try {
    return JSON.parse(out)
  } catch {
    return undefined
  }
}
