/** The picture of the tile showing this preview, in the same size, so that it is drawn again without a request. */
export const shownOnTile = (preview: string): string | undefined => {
  for (const image of document.images)
    if (image.currentSrc.startsWith(preview) && image.complete && image.naturalWidth > 0) return image.currentSrc
  return undefined
}
