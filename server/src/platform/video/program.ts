import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Where in PATH a program lies; undefined when it is nowhere. */
export const pathOf = async (program: string): Promise<string | undefined> => {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory || '.', program)
    if (await isProgram(path)) return path
  }
  return undefined
}

export const isProgram = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
