/** Why a part cannot run on this machine. `packages`: what Debian calls what is missing; without them it is not allowed here. */
export type MissingTool = { words: string; packages?: string }

export const missingTool = (words: string, packages?: string): MissingTool => ({
  words: packages ? `${words} is missing (Debian: apt install ${packages})` : words,
  ...(packages && { packages }),
})

/** In CI what could be installed must be; what the machine forbids is said. */
export const isFault = (missing: MissingTool | undefined): boolean =>
  missing?.packages !== undefined && process.env.CI !== undefined
