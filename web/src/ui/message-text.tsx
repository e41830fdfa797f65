import { piecesOf } from './text-pieces.ts'

/** User text as it was typed, with its URLs and mentions. */
export const MessageText = ({
  text,
  big = false,
  className = '',
  linksTabIndex,
}: {
  text: string
  big?: boolean
  className?: string
  /** For links inside an element that has its own link. */
  linksTabIndex?: -1
}) => {
  let at = 0
  return (
    <p className={`whitespace-pre-wrap wrap-anywhere ${big ? 'text-4xl leading-tight' : ''} ${className}`} dir="auto">
      {piecesOf(text).map(({ text: words, link, mention }) => {
        const key = at
        at += words.length
        if (link)
          return (
            <a
              key={key}
              href={link}
              tabIndex={linksTabIndex}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="underline underline-offset-2"
            >
              {words}
            </a>
          )
        return mention ? (
          <span key={key} className="font-semibold text-ember">
            {words}
          </span>
        ) : (
          words
        )
      })}
    </p>
  )
}
