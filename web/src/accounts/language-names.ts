import { files } from '../app/language.ts'

/** What the client speaks, each by its own name, for who cannot read the one shown. */
export const languages = (): [tag: string, name: string][] =>
  Object.keys(files)
    .map(path => path.slice(2, -5))
    .map((tag): [string, string] => [tag, new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag])
    .map(([tag, name]): [string, string] => [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)])
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
