/** Removes the holder from each picture link, for comparing what two people are shown. */
export const withoutHolders = <Shown>(shown: Shown): Shown =>
  JSON.parse(JSON.stringify(shown).replaceAll(/&h=[\w-]+/g, ''))
