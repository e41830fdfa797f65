export type Template = { template: string; values: Record<'number' | 'kilobytes' | 'types', string | undefined> }

/** The service's message, with the field's name, numbers and file types replaced by placeholders. */
export const templateOf = (text: string, field?: string): Template => {
  const values: Template['values'] = { number: undefined, kilobytes: undefined, types: undefined }
  const taken = (name: keyof typeof values, stands: string) => (found: string) => {
    values[name] = found
    return stands
  }
  const named = field === undefined ? text : text.replace(field.replaceAll('_', ' '), ':attribute')
  const template = named
    .replace(/(of type: )(.+)(?=\.$)/, (_, before: string, types: string) => before + taken('types', ':types')(types))
    .replace(/\d+(?= kilobytes)/, taken('kilobytes', ':size'))
    .replace(':size kilobytes', ':size')
    .replace(/\d+/, taken('number', ':number'))
  return { template, values }
}
