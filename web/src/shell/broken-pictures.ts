/* If a picture does not load, the colours behind it show instead of a broken image. */

const mark = ({ target, type }: Event) => {
  if (target instanceof HTMLImageElement) target.toggleAttribute('data-broken', type === 'error')
}
// Neither event bubbles.
for (const type of ['error', 'load']) document.addEventListener(type, mark, true)
