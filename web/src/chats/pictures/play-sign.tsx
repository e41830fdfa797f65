import { Play } from 'lucide-react'

export const PlaySign = () => (
  <span
    aria-hidden="true"
    className="pointer-events-none absolute inset-0 m-auto grid size-14 max-h-full max-w-full place-items-center rounded-full bg-black/55 text-white"
  >
    <Play className="ms-1 size-7 fill-current" />
  </span>
)
