import { runCommand } from '../src/command/program.ts'

export type CommandResult = { code: number; out: string; err: string }

/** Runs the operator's command line in this process, which saves a start; `main.ts` adds only the terminal. */
export const command = async (
  env: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<CommandResult> => {
  const out: string[] = []
  const err: string[] = []
  const code = await runCommand(args, {
    env,
    print: said => void out.push(said),
    complain: said => void err.push(said),
    typed: async () => input,
  })
  return { code, out: out.join('\n').trim(), err: err.join('\n').trim() }
}

/** The same for a command that must succeed; returns the data of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: each command answers data of its own.
export const answered = async (env: Record<string, string>, args: readonly string[], input?: string): Promise<any> => {
  const { code, out, err } = await command(env, ['--json', ...args], input)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}
