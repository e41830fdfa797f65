/** Where the place is shown: on the phone's own map where it has one for such an address, and else on an open one. */
export const mapOf = (place: string): string => {
  const asked = encodeURIComponent(place)
  if (/iPhone|iPad|Macintosh/.test(navigator.userAgent)) return `https://maps.apple.com/?q=${asked}`
  if (/Android/.test(navigator.userAgent)) return `geo:0,0?q=${asked}`
  return `https://www.openstreetmap.org/search?query=${asked}`
}
