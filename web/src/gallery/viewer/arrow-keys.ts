/** The step of an arrow key from a picture: 1 is onwards, in the direction of reading. */
export const stepOf = (key: string): 1 | -1 | undefined => {
  if (!/^Arrow(?:Left|Right)$/.test(key)) return undefined
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  return key === forward ? 1 : -1
}
