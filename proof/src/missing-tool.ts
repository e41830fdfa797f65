/**
 * Explains why a part cannot run on this machine. `packages`: the Debian packages to install; without them the machine
 * does not permit it.
 */
export type MissingTool = { words: string; packages?: string }

export const missingTool = (words: string, packages?: string): MissingTool => ({
  words: packages ? `${words} is missing (Debian: apt install ${packages})` : words,
  ...(packages && { packages }),
})

/** In CI, a missing package is a fault; a machine's restriction is only reported. */
export const isFault = (missing: MissingTool | undefined): boolean =>
  missing?.packages !== undefined && process.env.CI !== undefined
