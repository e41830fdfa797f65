export type Template = { template: string; values: Record<'number' | 'kilobytes' | 'quoted', string | undefined> }

/** The service's message, with the field's name, numbers and what it quotes replaced by placeholders. */
export const templateOf = (text: string, field?: string): Template => {
  const values: Template['values'] = { number: undefined, kilobytes: undefined, quoted: undefined }
  const taken = (name: keyof typeof values, stands: string) => (found: string) => {
    values[name] = found
    return stands
  }
  const named = field === undefined ? text : text.replace(field.replaceAll('_', ' '), ':attribute')
  const template = named
    .replace(
      /((?:of type|address): )(.+)(?=\.$)/,
      (_, before: string, quoted: string) => before + taken('quoted', ':quoted')(quoted),
    )
    .replace(/\d+(?= kilobytes)/, taken('kilobytes', ':size'))
    .replace(':size kilobytes', ':size')
    .replace(/\d+/, taken('number', ':number'))
  return { template, values }
}
