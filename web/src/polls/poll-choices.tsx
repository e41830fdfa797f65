import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { fieldError } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'

const choicesMax = 12

/** The choices of a new poll: always with one more to fill. */
export const useChoices = () => {
  const [choices, setChoices] = useState(['', ''])
  /** The indexes of the filled ones. */
  const filled = choices.flatMap((choice, at) => (choice.trim() ? [at] : []))
  const write = (at: number, text: string) => {
    const now = choices.map((choice, each) => (each === at ? text : choice))
    setChoices(now.at(-1)?.trim() && now.length < choicesMax ? [...now, ''] : now)
  }
  return { choices, filled, write }
}

export const ChoiceFields = ({ choices, filled, write, error }: ReturnType<typeof useChoices> & { error: unknown }) => {
  const { t } = useWords()
  return choices.map((choice, at) => (
    <Field
      // biome-ignore lint/suspicious/noArrayIndexKey: a choice is identified by its place.
      key={at}
      name="poll_choices"
      label={t('poll.choice', { number: at + 1 })}
      value={choice}
      onChange={({ target }) => write(at, target.value)}
      required={at < 2}
      maxLength={200}
      dir="auto"
      error={
        fieldError(error, `poll_choices.${filled.indexOf(at)}`) ??
        (at === filled.at(-1) ? fieldError(error, 'poll_choices') : undefined)
      }
    />
  ))
}
