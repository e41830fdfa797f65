/** The picture of a person or thing; the name is next to it, so it has no text of its own. */
export const Avatar = ({
  src,
  size = 40,
  round = true,
  className = '',
}: {
  src: string
  size?: number
  round?: boolean
  className?: string
}) => (
  <img
    src={src}
    alt=""
    width={size}
    height={size}
    loading="lazy"
    fetchPriority="low"
    decoding="async"
    draggable={false}
    className={`shrink-0 bg-sunken object-cover ${round ? 'rounded-full' : 'rounded-2xl'} ${className}`}
  />
)
