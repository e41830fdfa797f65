import { explained, inWords } from '../app/net/refusal-message.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Why the browser refuses what is in a field: the service's own sentence, in the page's language. */
export const invalidWords = async (control: Control): Promise<string> => {
  const { name, title, validity, validationMessage } = control
  if (validity.patternMismatch && title) return title
  const text = `The ${name.replaceAll('_', ' ')} field ${faultOf(control)}.`
  await explained()
  const said = inWords({ text, field: name })
  // Without a network the words may be missing.
  return said === text ? validationMessage : said
}

const faultOf = (control: Control) => {
  const { validity, type } = control
  const { min = '', max = '', minLength = 0, inputMode } = control as Partial<HTMLInputElement>
  if (validity.valueMissing) return 'is required'
  if (type.startsWith('date')) return `must be a ${validity.rangeUnderflow ? 'date in the future' : 'valid date'}`
  if (validity.rangeUnderflow) return `must be at least ${min}`
  if (validity.rangeOverflow) return `must not be greater than ${max}`
  if (validity.tooShort) return `must be at least ${minLength} characters`
  if (type === 'number') return 'must be an integer'
  return inputMode === 'email' ? 'must be a valid email address' : 'format is invalid'
}
