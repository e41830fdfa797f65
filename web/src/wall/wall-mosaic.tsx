import { useAlt } from '../gallery/alt.ts'
import type { Tile } from './wall-content.ts'

/** Twelve places; the code takes two in its corner. */
export const Mosaic = ({ tiles }: { tiles: readonly Tile[] }) => (
  <div className="absolute inset-0 grid grid-cols-4 grid-rows-3 gap-[0.5vw] p-[0.5vw] portrait:grid-cols-3 portrait:grid-rows-4">
    <span className="col-start-4 row-span-2 row-start-2 portrait:col-start-3 portrait:row-start-3" />
    {tiles.map(tile => (
      <Picture key={tile.n} tile={tile} />
    ))}
  </div>
)

const Picture = ({ tile: { photo, still } }: { tile: Tile }) => (
  <img src={still} alt={useAlt(photo)} className="size-full min-h-0 min-w-0 animate-rise rounded-2xl object-cover" />
)
