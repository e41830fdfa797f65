import { files } from '../app/language.ts'

/** Engines of a few years ago have no names. */
const nameIn = (tag: string) => {
  try {
    return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** The supported languages, each by its own name, for people who cannot read the current one. */
export const languages = (): [tag: string, name: string][] =>
  Object.keys(files)
    .map(path => path.slice(2, -5))
    .map((tag): [string, string] => [tag, nameIn(tag)])
    .map(([tag, name]): [string, string] => [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)])
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
