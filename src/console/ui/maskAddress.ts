/** An address without what may be a secret in it: scheme, host and the first step of the path stay. */
export function maskAddress(address: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/@]*@)?([^/?#]*)(\/[^/?#]*)?(.*)$/i.exec(address)
  if (!match) return '•••'
  const [, scheme = '', host = '', first = '', rest = ''] = match
  // A single step may itself be the token: it is shown only when more comes after it.
  if (rest.replace(/^\//, '') === '') return first.length > 1 ? `${scheme}${host}/•••` : `${scheme}${host}`
  return `${scheme}${host}${first}/•••`
}
