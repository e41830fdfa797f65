/** The same without whom each link to a picture was given to: what two people are shown alike. */
export const withoutHolders = <Shown>(shown: Shown): Shown =>
  JSON.parse(JSON.stringify(shown).replaceAll(/&h=[\w-]+/g, ''))
