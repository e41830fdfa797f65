type Value = 'service' | 'status' | 'seconds' | 'tries'
export type Template = { template: string; values: Partial<Record<Value, string>> }

/** What the service gave as reasons, sentence by sentence. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=\.) (?=[A-Z])/)

/** A sentence with the push service's name and the numbers taken out: the key under which `reasons/*.json` have it. */
export const templateOf = (sentence: string, services: readonly string[]): Template => {
  const service = services.find(name => sentence.startsWith(`${name} `))
  const values: Template['values'] = service === undefined ? {} : { service }
  const taken = (name: Value) => (_: string, found: string) => {
    values[name] = found
    return `:${name}`
  }
  const template = (service === undefined ? sentence : `:service${sentence.slice(service.length)}`)
    .replace(/(?<=\()(\d+)(?=\))/, taken('status'))
    .replace(/([\d.]+) s(?:econds)?(?=\.$)/, taken('seconds'))
    .replace(/(\d+)(?= tries)/, taken('tries'))
  return { template, values }
}
