/** What is wrong with a form as a whole; read out when it appears. */
export const FormProblem = ({ text }: { text: string | undefined }) => (
  <div role="alert" className="empty:sr-only">
    {text && <p className="rounded-xl bg-bad-soft px-4 py-3 text-sm font-medium text-bad">{text}</p>}
  </div>
)
