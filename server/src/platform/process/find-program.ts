import { realpathSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Finds a program in PATH; undefined if it is not there. */
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

/** The node_modules directory in which this package is installed; undefined if it is not. */
export const packagesWith = (name: string): string | undefined => {
  try {
    const [packages] = fileURLToPath(import.meta.resolve(name)).split(join('/', name, '/'))
    return packages && realpathSync(packages)
  } catch {
    return undefined
  }
}
