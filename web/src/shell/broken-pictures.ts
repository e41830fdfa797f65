/* A picture that does not arrive leaves its place to what lies behind it, its colours, and shows no sign of a fault. */

const mark = ({ target, type }: Event) => {
  if (target instanceof HTMLImageElement) target.toggleAttribute('data-broken', type === 'error')
}
// Neither bubbles.
for (const type of ['error', 'load']) document.addEventListener(type, mark, true)
