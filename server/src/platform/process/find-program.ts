import { realpathSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

/** The directory of packages in which this one is installed; undefined where it is not. */
export const packagesWith = (name: string): string | undefined => {
  try {
    const [packages] = fileURLToPath(import.meta.resolve(name)).split(join('/', name, '/'))
    return packages && realpathSync(packages)
  } catch {
    return undefined
  }
}
