declare global {
  var __webpack_nonce__: string | undefined
}

// What keeps a page from scrolling under a dialog makes a style element, and looks here for the policy's permission.
globalThis.__webpack_nonce__ = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

export {}
