type Mentionable = { user_first_name: string; user_last_name: string; user_username: string }

const begun = /(^|[^\p{L}\p{M}\p{N}_%+@/-])@([\p{L}\p{M}\p{N}._-]{0,40})$/u
const offeredMax = 5

/** The text between an `@` and the caret, if somebody is being mentioned there. */
export const wordAt = (text: string, caret: number): string | undefined => begun.exec(text.slice(0, caret))?.[2]

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** People whose first name, last name or username begins like this. */
export const matching = <Person extends Mentionable>(people: readonly Person[], begun: string): Person[] => {
  const word = plain(begun)
  const names = ({ user_first_name, user_last_name, user_username }: Person) => [
    user_first_name,
    user_last_name,
    user_username,
  ]
  return people.filter(person => names(person).some(name => plain(name).startsWith(word))).slice(0, offeredMax)
}

/** Replaces the typed beginning with the username. */
export const withMention = (text: string, caret: number, username: string) => {
  const before = text.slice(0, caret).replace(begun, `$1@${username} `)
  return { text: before + text.slice(caret).replace(/^ /, ''), caret: before.length }
}
