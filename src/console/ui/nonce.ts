/** The gateway writes a fresh nonce into the page: styles that are made at run time must carry it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
