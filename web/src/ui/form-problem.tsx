import { useEffect, useRef } from 'react'

/** The errors of a form as a whole; read out and brought into view when they appear. */
export const FormProblem = ({ text }: { text: string | undefined }) => {
  const problem = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) problem.current?.focus()
  }, [text])
  return (
    <div ref={problem} role="alert" tabIndex={-1} className="outline-none empty:sr-only">
      {text && <p className="rounded-xl bg-bad-soft px-4 py-3 text-sm font-medium text-bad">{text}</p>}
    </div>
  )
}
