/** The nonce that the gateway writes into the page. Styles that are created at run time need it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
