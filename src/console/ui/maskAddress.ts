/** Masks a URL: scheme, host and the first path segment stay visible. */
export function maskAddress(address: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/@]*@)?([^/?#]*)(\/[^/?#]*)?(.*)$/i.exec(address)
  if (!match) return '•••'
  const [, scheme = '', host = '', first = '', rest = ''] = match
  // A single segment may itself be the token: it is shown only if another one follows.
  if (rest.replace(/^\//, '') === '') return first.length > 1 ? `${scheme}${host}/•••` : `${scheme}${host}`
  return `${scheme}${host}${first}/•••`
}
